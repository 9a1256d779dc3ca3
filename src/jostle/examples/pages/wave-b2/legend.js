function drawLegend(place) {
  place.textContent = Object.entries(COLOURS).map(([what, colour]) => `${what}: ${colour}`).join(", ");
}
