"use strict";
// The button behind a command copies it.
document.addEventListener("click", async event => {
  const button = event.target.closest?.(".copy");
  if (!button) return;
  const text = button.previousElementSibling;
  try {
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  } catch {
    getSelection().selectAllChildren(text); // the browser does not let us; now Ctrl-C does it
  }
});
