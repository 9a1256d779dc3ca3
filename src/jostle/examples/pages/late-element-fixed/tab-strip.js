class TabStrip extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", (event) => {
      const tab = event.target.closest("a");
      if (!tab) return;
      event.preventDefault();
      document.getElementById("shown").textContent = `${tab.textContent}, fresh today`;
    });
  }
}

customElements.define("tab-strip", TabStrip);
