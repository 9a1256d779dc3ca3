// Amounts as people write them.
function money(amount, currency) {
  return `${amount.toFixed(2)} ${currency}`;
}
