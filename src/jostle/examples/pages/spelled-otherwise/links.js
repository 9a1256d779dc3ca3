const PLACES = {
  Rooms: ["./", "Ten rooms."],
  "Late opening": ["/spelled-otherwise/%6Cate.html?room=2&day=friday#top", "Open until ten."],
};
for (const link of document.links) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    const [address, text] = PLACES[link.textContent];
    history.pushState(null, "", address);
    document.querySelector("main p").textContent = text;
  });
}
