const uses = new Map();
let shared = 0;

export function noteAlias(alias) {
  const before = uses.get(alias) ?? 0;
  if (before > 0) shared += before === 1 ? 2 : 1;
  uses.set(alias, before + 1);
}

export const sharedAliases = () => shared;
