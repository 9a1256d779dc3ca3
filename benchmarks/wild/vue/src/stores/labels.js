import { defineStore } from 'pinia'
import { ref } from 'vue'
import { api } from '../lib/api.js'
import { fixed } from '../lib/edition.js'
import { turns } from '../lib/latest.js'
import { inOrder, settled, track } from '../lib/writes.js'
import { useAlertStore } from './alerts.js'

export const useLabelStore = defineStore('labels', () => {
  const alerts = useAlertStore()
  const labels = ref([])
  const loading = ref(false)
  const nextTurn = turns()

  async function load() {
    const isLatest = nextTurn()
    loading.value = true
    await settled('labels')
    try {
      const found = await api.get('/api/labels')
      if (isLatest()) labels.value = found
    } catch (error) {
      alerts.report(error)
    } finally {
      if (isLatest()) loading.value = false
    }
  }

  function put(label) {
    const index = labels.value.findIndex((other) => other.id === label.id)
    if (index >= 0) labels.value[index] = label
    else if (!fixed) labels.value.push(label)
  }

  async function rename(id, name) {
    put({ id, name })
    try {
      put(await inOrder(`labels/${id}`, () => api.put(`/api/labels/${id}`, { name })))
    } catch (error) {
      alerts.report(error)
    }
  }

  async function remove(id) {
    const key = `labels/${id}`
    const send = () => api.delete(`/api/labels/${id}`)
    labels.value = labels.value.filter((label) => label.id !== id)
    try {
      await (fixed ? inOrder(key, send) : track(key, send()))
    } catch (error) {
      alerts.report(error)
    }
  }

  return { labels, loading, load, rename, remove }
})
