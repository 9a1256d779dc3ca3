const query = document.getElementById("query");
const number = document.getElementById("number");
const books = document.getElementById("books");

async function search() {
  const answer = await fetch(`/api/books?q=${encodeURIComponent(query.value)}`);
  const found = await answer.json();
  show(found);
}

function show(found) {
  number.textContent = found.length === 1 ? "1 book" : `${found.length} books`;
  books.replaceChildren(...found.map((title) => {
    const line = document.createElement("li");
    line.textContent = title;
    return line;
  }));
}

query.addEventListener("input", search);
search();
