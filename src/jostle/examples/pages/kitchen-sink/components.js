import { say } from "./state.js";

class ClickCounter extends HTMLElement {
  #count = 0;

  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = '<button id="inner" type="button">In the shadow</button>';
    root.getElementById("inner").addEventListener("click", () => say("shadow", ++this.#count));
  }
}
customElements.define("click-counter", ClickCounter);

class LateGreeting extends HTMLElement {
  static observedAttributes = ["name"];

  attributeChangedCallback() {
    this.textContent = `Hello, ${this.getAttribute("name")}`;
  }

  connectedCallback() {
    say("custom", "upgraded");
    this.addEventListener("click", () => this.setAttribute("name", "again"));
  }
}
customElements.define("late-greeting", LateGreeting);
