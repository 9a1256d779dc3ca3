function drawChart(place, figures) {
  place.replaceChildren(...figures.map(({ year, sold }) => {
    const bar = document.createElement("div");
    bar.style.width = `${sold / 200}%`;
    bar.textContent = `${year}: ${thousands(sold)}`;
    return bar;
  }));
}
