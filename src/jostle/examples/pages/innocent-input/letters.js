const text = document.getElementById("text");
const show = (id, value) => { document.getElementById(id).textContent = value; };

function isVowel(letter) {
  return "aeiouyæøåäöü".includes(letter.toLowerCase());
}

function count() {
  let vowels = 0;
  let words = 0;
  let within = false;
  for (const letter of text.value) {
    if (isVowel(letter)) vowels += 1;
    if (/\s/.test(letter)) {
      within = false;
    } else if (!within) {
      within = true;
      words += 1;
    }
  }
  show("vowels", vowels);
  show("words", words);
}

text.addEventListener("input", () => show("length", text.value.length));
show("length", text.value.length);
document.getElementById("form").addEventListener("submit", (event) => {
  event.preventDefault();
  count();
});
document.getElementById("shout").addEventListener("click", () => {
  text.value = [...text.value].map((letter) => letter.toUpperCase()).join("").slice(0, 1000);
});
document.getElementById("count").disabled = false;
