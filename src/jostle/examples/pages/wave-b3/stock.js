parent.frameReady("stock", document.querySelectorAll("li").length);
