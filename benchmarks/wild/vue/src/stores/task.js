import { defineStore } from 'pinia'
import { ref } from 'vue'
import { api } from '../lib/api.js'
import { fixed } from '../lib/edition.js'
import { turns } from '../lib/latest.js'
import { inOrder, settled } from '../lib/writes.js'
import { useAlertStore } from './alerts.js'
import { useNotesStore } from './notes.js'

export const useTaskStore = defineStore('task', () => {
  const alerts = useAlertStore()
  const notes = useNotesStore()
  const current = ref(null)
  const saving = ref(new Set())
  const nextTurn = turns()

  async function open(id) {
    const isLatest = nextTurn()
    current.value = null
    await settled(`tasks/${id}`)
    try {
      const task = await api.get(`/api/tasks/${id}`)
      notes.apply({ task: task.id, ...task.notes })
      if (isLatest()) current.value = task
    } catch (error) {
      if (isLatest()) alerts.report(error)
    }
  }

  async function save(id, changes) {
    current.value = { ...current.value, ...changes }
    saving.value.add(id)
    try {
      const saved = await inOrder(`tasks/${id}`, () => api.put(`/api/tasks/${id}`, changes))
      if (!fixed || current.value?.id === id) current.value = saved
    } catch (error) {
      alerts.report(error)
    } finally {
      saving.value.delete(id)
    }
  }

  return { current, saving, open, save }
})
