import { defineStore } from 'pinia'
import { ref } from 'vue'

export const useAlertStore = defineStore('alerts', () => {
  const message = ref('')

  function report(error) {
    message.value = error.message
  }

  function dismiss() {
    message.value = ''
  }

  return { message, report, dismiss }
})
