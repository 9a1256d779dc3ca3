export function initialData() {
  return {
    sprints: [
      { id: 1, name: 'Sprint 21' },
      { id: 2, name: 'Sprint 22' },
      { id: 3, name: 'Sprint 23' },
    ],
    people: [
      { id: 1, name: 'Amina Diallo', role: 'Designer' },
      { id: 2, name: 'Bruno Keller', role: 'Developer' },
      { id: 3, name: 'Chiara Rossi', role: 'Developer' },
      { id: 4, name: 'David Lind', role: 'Tester' },
    ],
    tasks: [
      task(1, 'Draw the new login page', 'done', 1, 1, 3, 'Use the two-column layout.'),
      task(2, 'Store sessions in the database', 'done', 1, 2, 5, 'Migration is in the shared folder.'),
      task(3, 'Send the weekly digest', 'doing', 2, 2, 3, 'Ask Chiara about the templates.'),
      task(4, 'Import contacts from a file', 'doing', 2, 3, 8, 'Semicolons as well as commas.'),
      task(5, 'Test the import with large files', 'todo', 2, 4, 2, 'Ten thousand rows are enough.'),
      task(6, 'Choose icons for the toolbar', 'todo', 2, 1, 1, 'Outlined, not filled.'),
      task(7, 'Print the invoice', 'todo', 3, 3, 5, 'A4 and letter.'),
      task(8, 'Describe the public interface', 'todo', 3, 2, 3, 'One page per resource.'),
      task(9, 'Check contrast on all pages', 'todo', 3, 1, 2, 'At least 4.5 to 1.'),
    ],
    labels: [
      { id: 1, name: 'Accessibility' },
      { id: 2, name: 'Billing' },
      { id: 3, name: 'Import' },
      { id: 4, name: 'Printing' },
    ],
    settings: {
      teamName: 'Blue team',
      email: 'blue@workshop.test',
      weekStart: 'monday',
      wipLimit: 4,
      digest: true,
    },
    nextTaskId: 10,
  }
}

function task(id, title, status, sprint, assignee, estimate, notes) {
  return { id, title, status, sprint, assignee, estimate, revision: 1, notes: { text: notes, revision: 1, by: '' } }
}
