document.title += " · open today";
