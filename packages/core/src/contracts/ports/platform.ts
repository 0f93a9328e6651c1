/** Functions of the platform beyond the web's own globals. */
export interface PlatformPorts {
  /**
   * HTTP client for model calls, created before the first run; without it, providers use their own or the global
   * `fetch`.
   */
  readonly fetch?: (() => Promise<typeof fetch | undefined>) | undefined;
  /** Fetches addresses that messages name, where the platform can check them; a port of the same name wins. */
  readonly fetchPublic?: typeof fetch | undefined;
}
