export const STATUS_NAMES = { todo: 'To do', doing: 'Doing', done: 'Done' }
