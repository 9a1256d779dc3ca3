if (document.activeElement === document.body) document.getElementById("name").focus();
