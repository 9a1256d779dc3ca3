// Answers n with the n-th prime number.
function prime(n) {
  let candidate = 1;
  while (n > 0) {
    candidate += 1;
    let divisor = 2;
    while (divisor * divisor <= candidate && candidate % divisor) divisor += 1;
    if (divisor * divisor > candidate) n -= 1;
  }
  return candidate;
}

onmessage = (event) => postMessage(prime(event.data));
