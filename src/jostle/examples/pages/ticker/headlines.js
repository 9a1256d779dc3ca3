{
  const source = new EventSource("/api/headlines");
  const news = document.getElementById("news");
  source.addEventListener("message", (event) => {
    const { number, text } = JSON.parse(event.data);
    const line = document.createElement("li");
    line.textContent = text;
    document.getElementById("headlines").append(line);
    news.textContent = number;
  });
  source.addEventListener("end", () => {
    source.close();
    news.textContent = "that is all";
  });
}
