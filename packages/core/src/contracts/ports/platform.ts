import type { SecurityPorts } from "./security.ts";

/** Functions of the platform beyond the web's own globals. */
export interface PlatformPorts {
  /**
   * HTTP client for model calls, created with the first request; without it, providers use their own or the global
   * `fetch`.
   */
  readonly fetch?: (() => Promise<typeof fetch | undefined>) | undefined;
  /** Downloads files that messages name, if the platform can check addresses; a port of the same name wins. */
  readonly download?: SecurityPorts["download"];
}
