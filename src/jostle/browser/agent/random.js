// Chance, drawn from a seed that belongs to the running event: another order of events does not shift anybody's draws.
(jostle) => {
  const { native } = jostle;
  const DIGITS = "0123456789abcdef";
  let state = [1, 2, 3, 4];
  const reseed = (text) => {
    // FNV-1a in four lanes; good enough to start the generator below.
    state = [0x811c9dc5, 0x1234567, 0x9e3779b9, 0x7f4a7c15];
    for (let i = 0; i < text.length; i++) {
      const code = native.charCode(text, i);
      for (let lane = 0; lane < 4; lane++) state[lane] = Math.imul(state[lane] ^ (code + lane), 16777619) >>> 0;
    }
    for (let i = 0; i < 8; i++) next();
  };
  // xoshiro128**
  const next = () => {
    const rotate = (value, by) => ((value << by) | (value >>> (32 - by))) >>> 0;
    const result = Math.imul(rotate(Math.imul(state[1], 5) >>> 0, 7), 9) >>> 0;
    const t = (state[1] << 9) >>> 0;
    state[2] ^= state[0]; state[3] ^= state[1]; state[1] ^= state[2]; state[0] ^= state[3];
    state[2] ^= t; state[3] = rotate(state[3] >>> 0, 11);
    for (let i = 0; i < 4; i++) state[i] >>>= 0;
    return result;
  };
  jostle.onEnter(({ seed }, named) => { if (!named) reseed(String(seed)); });
  reseed("");

  const fill = (view) => {
    jostle.attend();
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = next() & 255;
    return view;
  };
  jostle.wrap(globalThis.Math, "random", () => ({ random() { jostle.attend(); return (next() * 0x200000 + (next() >>> 11)) / 0x20000000000000; } }).random);
  if (typeof Crypto === "function") {
    jostle.wrap(Crypto.prototype, "getRandomValues", (original) => ({
      getRandomValues(view) {
        // The original checks the argument and throws what the page expects.
        native.apply(original, this, [view]);
        return fill(view);
      },
    }).getRandomValues);
    jostle.wrap(Crypto.prototype, "randomUUID", () => ({
      randomUUID() {
        const b = fill(new Uint8Array(16));
        b[6] = (b[6] & 15) | 64;
        b[8] = (b[8] & 63) | 128;
        let text = "";
        for (let i = 0; i < 16; i++) text += `${i === 4 || i === 6 || i === 8 || i === 10 ? "-" : ""}${DIGITS[b[i] >> 4]}${DIGITS[b[i] & 15]}`;
        return text;
      },
    }).randomUUID);
  }
}
