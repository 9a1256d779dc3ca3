const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const policy = trustedTypes.createPolicy("notes", {
  createHTML: (text) => `<b>${text.replace(/[&<>"]/g, (character) => entities[character])}</b>`,
});

document.getElementById("write").addEventListener("submit", (event) => {
  event.preventDefault();
  const item = document.createElement("li");
  item.innerHTML = policy.createHTML(document.getElementById("note").value);
  document.getElementById("notes").append(item);
});
document.getElementById("add").disabled = false;
