// Keeps account of the writes on their way to the server, so that reads can wait for them
// and writes to one resource leave in the order they were made.

const pending = new Map()

export function track(key, promise) {
  const writes = pending.get(key) ?? new Set()
  pending.set(key, writes.add(promise))
  const done = () => writes.delete(promise)
  promise.then(done, done)
  return promise
}

export function settled(prefix) {
  const writes = [...pending]
    .filter(([key]) => key === prefix || key.startsWith(`${prefix}/`))
    .flatMap(([, promises]) => [...promises])
  return Promise.allSettled(writes)
}

export function inOrder(key, job) {
  return track(key, settled(key).then(job))
}
