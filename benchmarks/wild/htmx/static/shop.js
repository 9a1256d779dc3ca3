// A chosen tab is marked at once; its contents come from the server.
document.addEventListener("click", (event) => {
  const tab = event.target.closest("[role=tab]");
  if (!tab) return;
  for (const other of tab.closest("[role=tablist]").querySelectorAll("[role=tab]")) {
    other.setAttribute("aria-selected", String(other === tab));
  }
});

// Controls which do nothing without scripts are enabled when htmx has wired the page.
document.addEventListener("DOMContentLoaded", () => {
  for (const control of document.querySelectorAll("[data-wired]")) control.disabled = false;
});
