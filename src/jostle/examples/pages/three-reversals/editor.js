function preview() {
  draft.previewed = true;
  show();
}

if (panel.open) showOptions();

fetch("/three-reversals/words.json")
  .then((answer) => answer.json())
  .then(({ words }) => {
    draft.words = words;
    show();
  });
