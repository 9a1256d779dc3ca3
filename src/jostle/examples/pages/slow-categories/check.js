// Says beside each field what is wrong with it; the browser shows it and keeps the form from being sent.
export function check(form) {
  for (const field of form.elements) {
    const missing = field.name && !field.value.trim();
    field.setCustomValidity(missing ? `Please fill in the ${field.name}.` : "");
  }
}
