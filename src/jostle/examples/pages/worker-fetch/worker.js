addEventListener("message", async ({ data: town }) => {
  const response = await fetch(`/api/weather?town=${encodeURIComponent(town)}`);
  postMessage(await response.json());
});
