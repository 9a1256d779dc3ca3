import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import { api } from '../lib/api.js'
import { fixed } from '../lib/edition.js'
import { turns } from '../lib/latest.js'
import { inOrder, settled } from '../lib/writes.js'
import { useAlertStore } from './alerts.js'

const CURRENT_SPRINT = 2

export const useBoardStore = defineStore('board', () => {
  const alerts = useAlertStore()
  const sprints = ref([])
  const sprint = ref(null)
  const person = ref(null)
  const tasks = ref([])
  const drafts = ref([])
  const removed = ref(new Set())
  const lastAdded = ref(null)
  const loading = ref(false)

  const nextTurn = turns()
  let loaded = Promise.resolve()
  let draftCount = 0

  const visible = computed(() => [...tasks.value, ...drafts.value].filter((task) => !removed.value.has(task.id)))

  async function loadSprints() {
    try {
      sprints.value = await api.get('/api/sprints')
    } catch (error) {
      alerts.report(error)
    }
  }

  function load() {
    loading.value = true
    loaded = loadTasks(sprint.value, person.value, nextTurn())
    return loaded
  }

  async function loadTasks(sprintId, personId, isLatest) {
    const query = new URLSearchParams({ sprint: sprintId ?? 'all', person: personId ?? 'all' })
    await settled('tasks')
    try {
      const found = await api.get(`/api/board?${query}`)
      if (fixed && !isLatest()) return
      tasks.value = found
    } catch (error) {
      alerts.report(error)
    } finally {
      if (isLatest()) loading.value = false
    }
  }

  async function add(title) {
    const draft = {
      id: `draft-${++draftCount}`,
      title,
      status: 'todo',
      sprint: sprint.value ?? CURRENT_SPRINT,
      assignee: person.value,
      estimate: 1,
    }
    const entry = { id: draft.id, title, undone: false }
    drafts.value.push(draft)
    lastAdded.value = entry
    const boardLoaded = loaded
    try {
      await inOrder('tasks/new', async () => {
        await boardLoaded
        if (fixed && entry.undone) return
        const saved = await api.post('/api/tasks', { title, sprint: draft.sprint, assignee: draft.assignee })
        drafts.value = drafts.value.filter((task) => task.id !== draft.id)
        if (fixed && entry.undone) {
          await api.delete(`/api/tasks/${saved.id}`)
          return
        }
        tasks.value.push(saved)
        entry.id = saved.id
      })
    } catch (error) {
      drafts.value = drafts.value.filter((task) => task.id !== draft.id)
      if (lastAdded.value?.id === draft.id) lastAdded.value = null
      alerts.report(error)
    }
  }

  async function undoAdd() {
    const entry = lastAdded.value
    lastAdded.value = null
    entry.undone = true
    if (drafts.value.some((task) => task.id === entry.id)) {
      drafts.value = drafts.value.filter((task) => task.id !== entry.id)
      return
    }
    removed.value.add(entry.id)
    try {
      await inOrder(`tasks/${entry.id}`, () => api.delete(`/api/tasks/${entry.id}`))
    } catch (error) {
      removed.value.delete(entry.id)
      alerts.report(error)
    }
  }

  return { sprints, sprint, person, loading, visible, lastAdded, loadSprints, load, add, undoAdd }
})
