export const root = document.body.dataset.root;

// Asks the server and gives its answer; fails with the server's reason.
export async function ask(method, path, { body, signal } = {}) {
  const response = await fetch(`${root}/api/${path}`, {
    method,
    signal,
    headers: body && { "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}
