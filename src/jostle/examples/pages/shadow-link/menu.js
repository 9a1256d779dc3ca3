const { shadowRoot } = document.querySelector("site-menu");

shadowRoot.getElementById("all").addEventListener("click", (event) => {
  event.preventDefault();
  shadowRoot.getElementById("dishes").hidden = false;
});
