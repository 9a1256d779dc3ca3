const field = document.getElementById("name");
if (!field.value && document.activeElement !== field) field.value = "Guest";
