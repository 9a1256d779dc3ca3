export const ROWS = 50;

export function row({ title, author }) {
  const item = document.createElement("li");
  for (const [name, text] of [["strong", title], ["span", " · "], ["em", author]]) {
    const part = document.createElement(name);
    part.textContent = text;
    item.append(part);
  }
  return item;
}
