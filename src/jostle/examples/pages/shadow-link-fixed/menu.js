document.querySelector("site-menu").title = "What there is today";
