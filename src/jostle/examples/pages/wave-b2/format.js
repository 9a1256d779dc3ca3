// Numbers as people write them.
const thousands = (number) => `${number / 1000} thousand`;
