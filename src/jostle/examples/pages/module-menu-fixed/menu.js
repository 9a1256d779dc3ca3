export function toggle(menu) {
  menu.hidden = !menu.hidden;
}
