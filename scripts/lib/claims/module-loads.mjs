/** Modules that this process has begun to load. */
let loads = 0;

/** Counts a module that begins to load. */
export const countLoad = () => void (loads += 1);

/** Resolves when no module has begun to load for some turns of the event loop: imports that were under way are done. */
export async function loadsSettled() {
  for (let quiet = 0, before = loads; quiet < 10; quiet = loads === before ? quiet + 1 : 0) {
    before = loads;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
