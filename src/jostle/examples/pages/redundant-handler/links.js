document.getElementById("prices").addEventListener("click", (event) => {
  event.preventDefault();
  location.href = event.currentTarget.href;
});
