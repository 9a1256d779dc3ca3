// Ask the server; when it has answered, go on with the answer.
function ask(method, address, then, body) {
  const request = new XMLHttpRequest();
  request.open(method, address);
  request.responseType = "json";
  request.onload = () => then(request.response);
  request.send(body && JSON.stringify(body));
}

function say(name, words) {
  document.getElementById(name).value = words;
}

function line(text) {
  const item = document.createElement("li");
  item.textContent = text;
  return item;
}
