// Names of nodes for people and for comparisons: the one it had when it was first seen, unique within the document.
(jostle) => {
  const { dom, identities } = jostle;
  const names = new identities.SafeWeakMap();
  const taken = new dom.SafeMap();

  const nth = (el, name) => {
    let place = 0, count = 0;
    for (let at = dom.firstChild(dom.parent(el)); at; at = dom.nextSibling(at)) {
      if (dom.nodeType(at) !== 1 || dom.tag(at) !== name) continue;
      count++;
      if (at === el) place = count;
    }
    return count > 1 ? `[${place}]` : "";
  };
  const pathOf = (el) => {
    let path = "";
    for (let at = el, depth = 0; ; depth++) {
      const name = dom.tag(at), id = dom.attribute(at, "id"), up = dom.parent(at);
      const end = path === "" ? "" : `>${path}`;
      if (id) return `${name}#${id}${end}`;
      if (!up) return `new ${name}${end}`;
      const kind = dom.nodeType(up);
      if (kind === 9 || name === "body" || depth > 30) return `${name}${end}`;
      path = `${name}${nth(at, name)}${end}`;
      if (kind === 11) {
        let host = null;
        try { host = dom.host(up); } catch { /* a fragment */ }
        return host ? `${jostle.nodePath(host)}>#shadow>${path}` : `new ${path}`;
      }
      at = up;
    }
  };
  jostle.nodePath = (node) => {
    if (node === globalThis) return "window";
    let name = names.get(node);
    if (name !== undefined) return name;
    const kind = dom.nodeType(node);
    if (kind === 9) name = node === document ? "document" : "document of its own";
    else if (kind === 11) {
      let host = null;
      try { host = dom.host(node); } catch { /* a fragment */ }
      name = host ? `${jostle.nodePath(host)}>#shadow` : "fragment";
    } else if (kind !== 1) {
      const up = dom.parent(node);
      name = `${up ? jostle.nodePath(up) : "new"}>#text`;
    } else name = pathOf(node);
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    if (count > 1) name = `${name}~${count}`;
    names.set(node, name);
    return name;
  };
}
