// May run before or after the element it writes to has been parsed.
{
  const tell = () => { document.getElementById("async-state").textContent = "ran"; };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", tell);
  else tell();
}
