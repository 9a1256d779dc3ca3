import { defineStore } from 'pinia'
import { ref } from 'vue'
import { useLiveStore } from './live.js'

const EMPTY = { text: '', revision: 0, by: '' }

export const useNotesStore = defineStore('notes', () => {
  const live = useLiveStore()
  const byTask = ref({})

  function of(task) {
    return byTask.value[task] ?? EMPTY
  }

  function apply({ task, text, revision, by }) {
    if (revision >= of(task).revision) byTask.value[task] = { text, revision, by }
  }

  function save(task, text) {
    const { revision } = of(task)
    byTask.value[task] = { text, revision: revision + 1, by: '' }
    live.send({ type: 'notes:save', task, text })
  }

  live.on('notes:state', apply)

  return { of, apply, save }
})
