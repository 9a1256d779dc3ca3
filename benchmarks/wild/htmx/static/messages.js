const SHOWN_FOR = 5000;

document.addEventListener("alpine:init", () => {
  Alpine.data("archiveToast", (archived) => ({
    ids: archived,
    open: false,

    init() {
      if (this.ids.length > 0) this.show();
    },

    add(id) {
      if (!this.ids.includes(id)) this.ids.push(id);
      this.show();
    },

    show() {
      this.open = true;
      setTimeout(() => this.close(), SHOWN_FOR);
    },

    close() {
      this.open = false;
      this.ids = [];
    },
  }));
});
