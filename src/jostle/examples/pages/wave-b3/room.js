function say(name, words) {
  document.getElementById(name).value = words;
}

function frameReady(name, rows) {
  say(name, `ready, ${rows} rows`);
}
