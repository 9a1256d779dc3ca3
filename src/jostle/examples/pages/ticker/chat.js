{
  const socket = new WebSocket(`ws://${location.host}/ws/chat`);
  const send = document.getElementById("send");
  socket.addEventListener("open", () => { send.disabled = false; });
  socket.addEventListener("close", () => { send.disabled = true; });
  socket.addEventListener("message", (event) => {
    const { from, text } = JSON.parse(event.data);
    const line = document.createElement("li");
    line.textContent = `${from}: ${text}`;
    document.getElementById("messages").append(line);
  });

  document.getElementById("chat").addEventListener("submit", (event) => {
    event.preventDefault();
    const field = document.getElementById("message");
    socket.send(field.value);
    field.value = "";
  });
}
