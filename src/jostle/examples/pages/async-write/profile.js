document.getElementById("name").value = "Guest";
