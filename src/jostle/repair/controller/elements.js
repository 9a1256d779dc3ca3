// The elements that events are about: where the user acted, also inside closed shadow roots, whether that fits a selector, and
// where it is now if the page has drawn it again.
(repair) => {
  const roots = new WeakMap(); // closed ones, by their hosts
  repair.watchRoots = () => repair.wrap(Element.prototype, "attachShadow", (original) => ({
    attachShadow(options) {
      const root = repair.apply(original, this, arguments);
      if (options?.mode === "closed") roots.set(this, root);
      return root;
    },
  }).attachShadow);

  // The innermost element; the path of an event ends at the host of a closed root.
  repair.target = (event) => {
    let target = repair.path(event)[0] ?? event.target;
    for (let root; (root = roots.get(target)); ) {
      const at = event.detail || /^(pointer|mouse)/.test(event.type) ? root.elementFromPoint(event.clientX, event.clientY) : null;
      const inner = at ?? root.activeElement;
      if (!inner || inner === target) break;
      target = inner;
    }
    return target;
  };
  repair.fits = (node, selector) => {
    try {
      for (let at = node; at; at = at.getRootNode?.().host) {
        const element = at.nodeType === 1 ? at : at.parentElement;
        if (element?.closest(selector)) return true;
      }
    } catch { /* no selector */ }
    return false;
  };

  repair.isText = (element) => element?.isContentEditable || element instanceof HTMLTextAreaElement
    || (element instanceof HTMLInputElement && !/^(button|checkbox|color|file|image|radio|range|reset|submit)$/.test(element.type));

  // How to find the element again: by its id, or by its place and its words.
  const place = (element) => {
    const steps = [];
    for (let at = element; at?.parentElement && !at.id; at = at.parentElement) steps.push([...at.parentElement.children].indexOf(at));
    return steps;
  };
  const near = (element) => element.closest("[id]");
  repair.remember = (element) => {
    if (element?.nodeType !== 1) return () => element;
    const { tagName, textContent } = element, id = near(element)?.id, steps = place(element);
    return () => {
      if (element.isConnected) return element;
      let at = id ? document.getElementById(id) : document.documentElement;
      for (let i = steps.length - 1; i >= 0; i--) at = at?.children[steps[i]];
      return at?.tagName === tagName && (element.id || at.textContent === textContent) ? at : null;
    };
  };
  repair.words = (element) => {
    if (element?.nodeType !== 1) return "the page";
    const name = element.id ? `#${element.id}` : element.name ? `[name=${element.name}]` : "";
    return element.localName + name;
  };
}
