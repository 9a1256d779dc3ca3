document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-opens]");
  if (!link) return;
  event.preventDefault();
  document.getElementById(link.dataset.opens).hidden = false;
});
