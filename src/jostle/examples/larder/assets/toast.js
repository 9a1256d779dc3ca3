// Each notice is an element of its own with its own timer, so none removes another.
export function toast(text) {
  const notice = document.createElement("p");
  notice.textContent = text;
  document.getElementById("toasts").append(notice);
  setTimeout(() => notice.remove(), 3000);
}
