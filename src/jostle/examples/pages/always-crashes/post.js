function sendPostcard(stamp) {
  document.title = `Sent with ${stamp}`;
}
