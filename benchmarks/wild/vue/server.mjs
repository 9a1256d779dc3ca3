import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { WebSocket, WebSocketServer } from 'ws'
import { initialData } from './data.mjs'

const { values: options } = parseArgs({
  options: { port: { type: 'string', default: '8080' }, fixed: { type: 'boolean', default: false } },
})
const DIST = fileURLToPath(new URL('./dist', import.meta.url))
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
}

let data = initialData()

class HttpError extends Error {
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

function found(item) {
  if (!item) throw new HttpError(404, 'Not found')
  return item
}

function text(value, name) {
  if (typeof value !== 'string' || !value.trim()) throw new HttpError(422, `${name} must not be empty`)
  return value.trim()
}

function taskById(id) {
  return found(data.tasks.find((task) => task.id === Number(id)))
}

function taskWithNeighbours(task) {
  const at = data.tasks.indexOf(task)
  return { ...task, previous: data.tasks[at - 1]?.id ?? null, next: data.tasks[at + 1]?.id ?? null }
}

const routes = [
  ['GET', /^\/api\/sprints$/, () => data.sprints],
  ['GET', /^\/api\/people$/, () => data.people],
  [
    'GET',
    /^\/api\/people\/(\d+)\/workload$/,
    ({ params: [id] }) => {
      found(data.people.find((person) => person.id === Number(id)))
      const tasks = data.tasks.filter((task) => task.assignee === Number(id) && task.status !== 'done')
      return {
        points: tasks.reduce((sum, task) => sum + task.estimate, 0),
        tasks: tasks.map(({ id, title, estimate }) => ({ id, title, estimate })),
      }
    },
  ],
  [
    'GET',
    /^\/api\/board$/,
    ({ query }) => {
      const sprint = Number(query.get('sprint')) || null
      const person = Number(query.get('person')) || null
      return data.tasks
        .filter((task) => (!sprint || task.sprint === sprint) && (!person || task.assignee === person))
        .map(({ notes, ...task }) => task)
    },
  ],
  [
    'GET',
    /^\/api\/search$/,
    ({ query }) => {
      const term = (query.get('q') ?? '').trim().toLowerCase()
      if (!term) return []
      return data.tasks
        .filter((task) => task.title.toLowerCase().includes(term))
        .map(({ id, title }) => ({ id, title }))
    },
  ],
  [
    'POST',
    /^\/api\/tasks$/,
    ({ body }) => {
      const task = {
        id: data.nextTaskId++,
        title: text(body.title, 'Title'),
        status: 'todo',
        sprint: body.sprint ?? 2,
        assignee: body.assignee ?? null,
        estimate: 1,
        revision: 1,
        notes: { text: '', revision: 1, by: '' },
      }
      data.tasks.push(task)
      return task
    },
  ],
  ['GET', /^\/api\/tasks\/(\d+)$/, ({ params: [id] }) => taskWithNeighbours(taskById(id))],
  [
    'PUT',
    /^\/api\/tasks\/(\d+)$/,
    ({ params: [id], body }) => {
      const task = taskById(id)
      task.title = text(body.title, 'Title')
      task.status = body.status
      task.assignee = body.assignee
      task.estimate = Number(body.estimate)
      task.revision += 1
      return taskWithNeighbours(task)
    },
  ],
  [
    'DELETE',
    /^\/api\/tasks\/(\d+)$/,
    ({ params: [id] }) => {
      const task = taskById(id)
      data.tasks = data.tasks.filter((other) => other !== task)
    },
  ],
  ['GET', /^\/api\/labels$/, () => data.labels],
  [
    'PUT',
    /^\/api\/labels\/(\d+)$/,
    ({ params: [id], body }) => {
      const label = found(data.labels.find((other) => other.id === Number(id)))
      label.name = text(body.name, 'Name')
      return label
    },
  ],
  [
    'DELETE',
    /^\/api\/labels\/(\d+)$/,
    ({ params: [id] }) => {
      const label = found(data.labels.find((other) => other.id === Number(id)))
      data.labels = data.labels.filter((other) => other !== label)
    },
  ],
  ['GET', /^\/api\/settings$/, () => data.settings],
  ['PUT', /^\/api\/settings$/, ({ body }) => (data.settings = { ...data.settings, ...body })],
  [
    'POST',
    /^\/__reset$/,
    () => {
      data = initialData()
    },
  ],
]

async function readBody(request) {
  let body = ''
  for await (const chunk of request) body += chunk
  try {
    return body ? JSON.parse(body) : {}
  } catch {
    throw new HttpError(400, 'The body is not JSON')
  }
}

function sendJson(response, status, value) {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  response.end(JSON.stringify(value))
}

async function answerApi(request, response, url) {
  for (const [method, pattern, handler] of routes) {
    const match = request.method === method && pattern.exec(url.pathname)
    if (!match) continue
    const body = method === 'GET' ? {} : await readBody(request)
    const result = handler({ params: match.slice(1), query: url.searchParams, body })
    if (result === undefined) response.writeHead(204, { 'Cache-Control': 'no-store' }).end()
    else sendJson(response, 200, result)
    return
  }
  throw new HttpError(404, 'Not found')
}

async function answerPage(response, url) {
  const path = extname(url.pathname) ? normalize(url.pathname) : '/index.html'
  let content
  try {
    content = await readFile(join(DIST, path))
  } catch {
    throw new HttpError(404, 'Not found')
  }
  if (path === '/index.html' && options.fixed) {
    content = content.toString().replace('data-edition="regular"', 'data-edition="fixed"')
  }
  response.writeHead(200, {
    'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
    'Cache-Control': path.startsWith('/assets/') ? 'public, max-age=3600' : 'no-cache',
  })
  response.end(content)
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost')
  try {
    if (url.pathname.startsWith('/api/') || url.pathname === '/__reset') await answerApi(request, response, url)
    else await answerPage(response, url)
  } catch (error) {
    if (!(error instanceof HttpError)) console.error(error)
    sendJson(response, error.status ?? 500, { message: error.status ? error.message : 'Internal error' })
  }
})

const sockets = new WebSocketServer({ server, path: '/live' })

function notesState(task) {
  return JSON.stringify({ type: 'notes:state', task: task.id, ...task.notes })
}

sockets.on('connection', (socket) => {
  socket.on('error', () => socket.terminate())
  socket.on('message', (raw) => {
    const message = JSON.parse(raw)
    const task = data.tasks.find((other) => other.id === message.task)
    if (!task) return
    if (message.type === 'notes:open') {
      socket.send(notesState(task))
    } else if (message.type === 'notes:save') {
      task.notes = { text: String(message.text), revision: task.notes.revision + 1, by: String(message.by ?? '') }
      for (const client of sockets.clients) {
        if (client.readyState === WebSocket.OPEN) client.send(notesState(task))
      }
    }
  })
})

server.listen(Number(options.port), '127.0.0.1', () => {
  console.log(`Workshop at http://127.0.0.1:${options.port}/`)
})

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0))
