// A later script may add to the menu; it takes nothing away.
document.getElementById("menu").title = "Search for computers and accessories";
