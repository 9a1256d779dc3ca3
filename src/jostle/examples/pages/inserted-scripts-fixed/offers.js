Shop.offers.push("Bread at half price");
document.getElementById("offer").textContent = Shop.name + ": " + Shop.offers.join(", ");
