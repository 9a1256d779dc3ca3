import { defineStore } from 'pinia'
import { ref } from 'vue'
import { api } from '../lib/api.js'
import { useAlertStore } from './alerts.js'

export const usePeopleStore = defineStore('people', () => {
  const people = ref([])
  let loading = null

  function load() {
    loading ??= api.get('/api/people').then(
      (found) => {
        people.value = found
      },
      (error) => {
        loading = null
        useAlertStore().report(error)
      },
    )
    return loading
  }

  function nameOf(id) {
    return people.value.find((person) => person.id === id)?.name ?? 'Nobody'
  }

  return { people, load, nameOf }
})
