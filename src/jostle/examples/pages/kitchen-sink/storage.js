import { on, say } from "./state.js";

on("import", "click", async () => {
  const { greeting } = await import("./greeting.js");
  say("import", greeting);
});

for (const [id, storage] of [["local", localStorage], ["session", sessionStorage]]) {
  say(id, storage.getItem("sink") ?? "empty");
  on(id, "click", () => {
    storage.setItem("sink", Number(storage.getItem("sink") ?? 0) + 1);
    say(id, storage.getItem("sink"));
  });
}

on("cookie", "click", () => {
  document.cookie = "sink=crumb; path=/kitchen-sink; SameSite=Lax";
  say("cookie", document.cookie.includes("sink=crumb") ? "set" : "refused");
});

on("indexeddb", "click", () => {
  const opening = indexedDB.open("sink", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("notes", { autoIncrement: true });
  opening.onerror = () => say("indexeddb", "failed");
  opening.onsuccess = () => {
    const database = opening.result;
    const notes = database.transaction("notes", "readwrite").objectStore("notes");
    notes.add("a note");
    notes.count().onsuccess = (event) => {
      say("indexeddb", `${event.target.result} stored`);
      database.close();
    };
  };
});

on("random", "click", () => say("random", `${Math.random().toFixed(6)} ${crypto.getRandomValues(new Uint8Array(1))[0]}`));
