/** Does work of one key after the work that was given before it. */
export type InTurn = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Makes a function that does work of one key in its order, and work of different keys at once. */
export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const own = before.then(work, work);
    last.set(key, own);
    try {
      return await own;
    } finally {
      if (last.get(key) === own) last.delete(key);
    }
  };
}
