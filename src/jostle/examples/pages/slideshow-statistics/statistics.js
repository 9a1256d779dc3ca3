// Tells the server that the page was seen.
const ping = new XMLHttpRequest();
ping.open("GET", "/api/ping");
ping.send();
