document.getElementById("map").title = "Map of the town";
