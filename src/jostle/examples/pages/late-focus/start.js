document.getElementById("name").focus();
