const tides = "High water at 10:40";
