const followers = new Set();

export function follow(run) {
  followers.add(run);
  return () => followers.delete(run);
}

export const tell = (change) => { for (const run of followers) run(change); };
