import { compare, row } from "/slow-sort/row.js";

const guests = [];

function placeOf(name) {
  let low = 0;
  let high = guests.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(guests[middle], name) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function insert(list, name) {
  const place = placeOf(name);
  guests.splice(place, 0, name);
  list.insertBefore(row(name), list.children[place] ?? null);
}
