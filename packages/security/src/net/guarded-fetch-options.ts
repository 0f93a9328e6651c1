/** Options of `guardedFetch`. */
export interface GuardedFetchOptions {
  /**
   * Hosts that may be requested although they are not public, as `127.0.0.1:4310`, `intranet.example` or
   * `*.corp.example`; also over http. Default none.
   */
  readonly allowHosts?: readonly string[] | undefined;
  /** Redirects that are followed; default 5. */
  readonly maxRedirects?: number | undefined;
  /**
   * The server whose answers contain the addresses. Its own origin is allowed. Any other address must be public and use
   * https; if the server is on loopback, other loopback addresses are allowed too.
   */
  readonly namedBy?: string | URL | undefined;
  /**
   * Sends requests to `allowHosts` and to the origin of `namedBy`. Every other request is sent to the very address that
   * was checked. Default: the platform's `fetch`.
   */
  readonly fetch?: typeof globalThis.fetch | undefined;
}
