type MakeFetch = (send: typeof fetch) => typeof fetch;

/** Rebuilds the behaviour of a call's `fetch` over another one. A function cannot be inspected for it. */
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
 * The behaviour of a call's `fetch` on top of another one.
 *
 * @param callFetch - The call's `fetch`.
 * @param careful - Sends permitted requests, and refuses the rest.
 * @returns `undefined` if the application has its own `fetch`.
 */
export function fetchOver(callFetch: typeof fetch, careful: typeof fetch): typeof fetch | undefined {
  const make = makers.get(callFetch);
  if (make !== undefined) return make(careful);
  return callFetch === globalThis.fetch ? careful : undefined;
}
