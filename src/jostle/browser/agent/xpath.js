// Where an element stands in the document, step by step from the root: /html/body/ul/li[3]/a. An open shadow root is a step of its own.
(jostle) => {
  const { dom } = jostle;
  const { SafeMap, tag } = dom;

  // `li[3]` for the third of several, `li` for the only one.
  const nameChildren = (parent, named) => {
    const counts = new SafeMap();
    const children = [];
    for (let at = dom.firstChild(parent); at; at = dom.nextSibling(at)) {
      if (dom.nodeType(at) !== 1) continue;
      const nth = (counts.get(tag(at)) ?? 0) + 1;
      counts.set(tag(at), nth);
      children[children.length] = { at, nth };
    }
    for (let i = 0; i < children.length; i++) {
      const { at, nth } = children[i];
      named.set(at, counts.get(tag(at)) > 1 ? `${tag(at)}[${nth}]` : tag(at));
    }
  };

  jostle.xpathOf = (el) => {
    const { xpaths, steps } = jostle.begin();
    const above = [];
    let at = el;
    while (at && !xpaths.has(at)) {
      above[above.length] = at;
      const up = dom.parent(at);
      at = up && dom.nodeType(up) === 11 ? dom.host(up) : up && dom.nodeType(up) === 1 ? up : null;
    }
    let path = at ? xpaths.get(at) : "";
    for (let i = above.length - 1; i >= 0; i--) {
      const up = dom.parent(above[i]);
      if (up && dom.nodeType(up) === 11) path += "/#shadow";
      if (up && !steps.has(above[i])) nameChildren(up, steps);
      path += `/${steps.get(above[i]) ?? tag(above[i])}`;
      xpaths.set(above[i], path);
    }
    return path;
  };
}
