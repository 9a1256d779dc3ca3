function format(text) {
  return `In the larder: ${text}`;
}
