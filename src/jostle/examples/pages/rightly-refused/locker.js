document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button?.form || button.form.checkValidity()) return;
  event.preventDefault();
  document.getElementById("said").textContent = "The code has four digits.";
});
