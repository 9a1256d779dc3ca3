export function row({ title, path, author }) {
  const item = document.createElement("li");
  for (const text of [title, path, author]) {
    const part = document.createElement("span");
    part.textContent = `${text} `;
    item.append(part);
  }
  return item;
}

export async function put(articles) {
  const { ok } = await fetch("/api/articles", { method: "PUT", body: JSON.stringify(articles) });
  return ok;
}
