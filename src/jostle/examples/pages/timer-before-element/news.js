document.title = "Library, with new books";
