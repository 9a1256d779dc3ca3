const SHOWN_FOR = 5000;

document.addEventListener("alpine:init", () => {
  Alpine.data("archiveToast", (archived) => ({
    ids: archived,
    open: false,
    timer: null,

    init() {
      if (this.ids.length > 0) this.show();
    },

    add(id) {
      if (!this.ids.includes(id)) this.ids.push(id);
      this.show();
    },

    show() {
      this.open = true;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.close(), SHOWN_FOR);
    },

    close() {
      clearTimeout(this.timer);
      this.open = false;
      this.ids = [];
    },
  }));
});
