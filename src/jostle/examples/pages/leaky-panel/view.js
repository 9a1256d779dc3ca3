// As much of a framework as an application has below it: elements are described, compared with those before, and changed.
export const h = (tag, props = {}, ...children) => ({ tag, props, children: children.flat() });

const text = (node) => (typeof node === "string" ? node : null);

function create(node) {
  if (text(node) !== null) return document.createTextNode(node);
  const made = document.createElement(node.tag);
  for (const [name, value] of Object.entries(node.props)) set(made, name, value);
  for (const child of node.children) made.append(create(child));
  return made;
}

function set(element, name, value) {
  if (name.startsWith("on")) element[name] = value;
  else if (value === false) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

function patch(parent, place, before, after) {
  const there = parent.childNodes[place];
  if (before === undefined) return parent.append(create(after));
  if (after === undefined) return there.remove();
  if (text(before) !== null || text(after) !== null || before.tag !== after.tag) {
    if (before !== after) there.replaceWith(create(after));
    return undefined;
  }
  for (const [name, value] of Object.entries(after.props)) {
    if (name.startsWith("on") || before.props[name] !== value) set(there, name, value);
  }
  const length = Math.max(before.children.length, after.children.length);
  for (let n = length - 1; n >= 0; n--) if (after.children[n] === undefined) patch(there, n, before.children[n]);
  for (let n = 0; n < after.children.length; n++) patch(there, n, before.children[n], after.children[n]);
  return undefined;
}

// Work is done in small pieces, of which there are now some more and now some less, as with every scheduler.
function idle() {
  for (let n = Math.floor(60 * Math.random()); n > 0; n--) if (n % 7 === 0) performance.now();
}

export function mount(root, view) {
  let shown = [];
  return () => {
    const wanted = view();
    for (let n = 0; n < Math.max(shown.length, wanted.length); n++) patch(root, n, shown[n], wanted[n]);
    shown = wanted;
    idle();
  };
}
