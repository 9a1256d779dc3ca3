function line(text) {
  const item = document.createElement("li");
  item.textContent = text;
  return item;
}
