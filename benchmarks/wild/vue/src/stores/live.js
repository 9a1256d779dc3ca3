import { defineStore } from 'pinia'
import { ref } from 'vue'

const RECONNECT_AFTER = 2000

export const useLiveStore = defineStore('live', () => {
  const connected = ref(false)
  const listeners = new Map()
  let waiting = []
  let socket = null

  function connect() {
    socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/live`)
    socket.onopen = () => {
      connected.value = true
      for (const message of waiting) socket.send(message)
      waiting = []
    }
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data)
      for (const listener of [...(listeners.get(message.type) ?? [])]) listener(message)
    }
    socket.onclose = () => {
      connected.value = false
      setTimeout(connect, RECONNECT_AFTER)
    }
  }

  function send(message) {
    const raw = JSON.stringify(message)
    if (socket?.readyState === WebSocket.OPEN) socket.send(raw)
    else waiting.push(raw)
  }

  function on(type, listener) {
    const all = listeners.get(type) ?? new Set()
    listeners.set(type, all.add(listener))
    return () => all.delete(listener)
  }

  return { connected, connect, send, on }
})
