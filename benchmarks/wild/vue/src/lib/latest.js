// Returns a function that starts a new turn and gives back a test whether that turn is still the latest one.
export function turns() {
  let latest = 0
  return () => {
    const turn = ++latest
    return () => turn === latest
  }
}
