const followers = [];

export function follow(run) {
  followers.push(run);
  return () => {};
}

export const tell = (change) => { for (const run of followers) run(change); };
