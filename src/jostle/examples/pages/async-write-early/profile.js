const field = document.getElementById("name");
if (field) field.value = "Guest";
