const field = document.getElementById("name");
if (field.value === field.defaultValue) field.value = "Guest of the day";
