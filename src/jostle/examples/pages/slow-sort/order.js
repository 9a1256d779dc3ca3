import { compare, row } from "./row.js";

const guests = [];

function sort() {
  for (let end = guests.length - 1; end > 0; end -= 1) {
    for (let at = 0; at < end; at += 1) {
      if (compare(guests[at], guests[at + 1]) > 0) [guests[at], guests[at + 1]] = [guests[at + 1], guests[at]];
    }
  }
}

export function insert(list, name) {
  guests.push(name);
  sort();
  list.replaceChildren(...guests.map(row));
}
