// Rows that are being edited, or wait for an answer, stay as they are when the list is loaded anew.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id !== "stock-rows") return;
  const inUse = event.detail.target.querySelectorAll("tr.editing, tr:has(.htmx-request)");
  if (inUse.length === 0) return;
  const answer = document.createElement("template");
  answer.innerHTML = event.detail.serverResponse;
  for (const row of inUse) {
    let place = answer.content.getElementById(row.id);
    if (!place) {
      place = document.createElement("tr");
      place.id = row.id;
      answer.content.prepend(place);
    }
    place.setAttribute("hx-preserve", "true");
  }
  event.detail.serverResponse = answer.innerHTML;
});
