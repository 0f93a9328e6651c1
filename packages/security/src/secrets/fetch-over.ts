type MakeFetch = (send: typeof fetch) => typeof fetch;

/** Rebuilds the behaviour of a call's `fetch` over another one, since a function cannot be inspected. */
const makers = new WeakMap<typeof fetch, MakeFetch>();

/**
 * Makes a call's `fetch`, which a sandbox may later rebuild over a more restricted one.
 *
 * @param make - Wraps a `fetch` so that it inserts the call's secrets.
 * @param own - The application's own `fetch`, which is always used if given; default the global one.
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
 * @param careful - Sends permitted requests and refuses all others.
 * @returns `undefined` if the application has its own `fetch`.
 */
export function fetchOver(callFetch: typeof fetch, careful: typeof fetch): typeof fetch | undefined {
  const make = makers.get(callFetch);
  if (make !== undefined) return make(careful);
  return callFetch === globalThis.fetch ? careful : undefined;
}
