const aliases = [];

export function noteAlias(alias) {
  aliases.push(alias);
}

export function sharedAliases() {
  let shared = 0;
  for (const alias of aliases) {
    let uses = 0;
    for (const other of aliases) {
      if (other === alias) uses += 1;
    }
    if (uses > 1) shared += 1;
  }
  return shared;
}
