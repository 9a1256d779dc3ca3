export const { compare } = new Intl.Collator("en");

export function row(name) {
  const item = document.createElement("li");
  item.textContent = name;
  return item;
}
