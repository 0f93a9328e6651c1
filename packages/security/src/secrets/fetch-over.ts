type MakeFetch = (send: typeof fetch) => typeof fetch;

/** How to make what a call's `fetch` does over another one. A function says nothing of itself. */
const makers = new WeakMap<typeof fetch, MakeFetch>();

/**
 * Makes a call's `fetch`, which a sandbox may later have done over a more careful one.
 *
 * @param make - Puts the call's secrets into what another `fetch` sends.
 * @param own - The application's own `fetch`, which nothing goes around; default the global one.
 */
export function fetchThatCanGoOver(make: MakeFetch, own: typeof fetch | undefined): typeof fetch {
  const made = make((input, init) => (own ?? globalThis.fetch)(input, init));
  if (own === undefined) makers.set(made, make);
  return made;
}

/**
 * What a call's `fetch` does, over another one.
 *
 * @param callFetch - Of the call.
 * @param careful - Sends what it may, and refuses the rest.
 * @returns `undefined` when the application sends by a `fetch` of its own.
 */
export function fetchOver(callFetch: typeof fetch, careful: typeof fetch): typeof fetch | undefined {
  const make = makers.get(callFetch);
  if (make !== undefined) return make(careful);
  return callFetch === globalThis.fetch ? careful : undefined;
}
