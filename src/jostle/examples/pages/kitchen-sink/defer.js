document.getElementById("defer-state").textContent = "ran";
