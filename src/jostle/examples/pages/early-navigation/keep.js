sessionStorage.setItem("day", document.getElementById("day").textContent);
