export function item({ number, author, date, text }) {
  const node = document.getElementById("comment-template").content.firstElementChild.cloneNode(true);
  node.dataset.number = number;
  node.dataset.author = author;
  node.querySelector(".comment-number").textContent = number;
  node.querySelector(".comment-by").textContent = `${author} · ${date}`;
  node.querySelector(".comment-text").textContent = text;
  return node;
}
