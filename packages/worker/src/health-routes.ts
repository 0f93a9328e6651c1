import { BailiwickError, ConfigurationError } from "@bailiwick/core";
import { checkKnownNames, checkArgument } from "@bailiwick/core/extension";
import type { Worker } from "./worker.ts";

/** Options of `healthRoutes`. */
export interface HealthOptions {
  /**
   * The worker counts as dead when it has not read its store for this long, in milliseconds; default 300,000. A
   * store that cannot be reached does not make it dead: the worker keeps trying.
   */
  readonly stalledMs?: number | undefined;
}

/**
 * Answers the probes of a platform: `GET …/health` reports if the process should keep running, `GET …/ready` if the
 * worker accepts runs. Both answer 200 or 503 with the state as JSON, without names of tenants and texts of errors.
 *
 * @param worker - The worker of this process.
 * @param options - When it counts as dead.
 * @returns a handler for any server with `Request` and `Response`; other paths get 404.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @example
 * ```ts
 * import type { AgentRuntime, RunStore } from "@bailiwick/core";
 * import { healthRoutes, worker } from "@bailiwick/worker";
 *
 * export function probes(agent: AgentRuntime, store: RunStore): (request: Request) => Response {
 *   return healthRoutes(worker({ agents: [agent], store }));
 * }
 * ```
 */
export function healthRoutes(worker: Worker, options: HealthOptions = {}): (request: Request) => Response {
  checkArgument(worker, "status", "healthRoutes(worker)");
  checkKnownNames(options, ["stalledMs"], "healthRoutes()");
  const { stalledMs = 300_000 } = options;
  if (!(Number.isFinite(stalledMs) && stalledMs > 0))
    throw new ConfigurationError("INVALID_OPTION", `healthRoutes(): "stalledMs" is a number of milliseconds, above 0.`);
  const startedAt = Date.now();

  return (request) => {
    const path = new URL(request.url).pathname.split("/").at(-1);
    if (path !== "health" && path !== "ready") return answer(404, { error: "The paths are /health and /ready." });
    if (request.method !== "GET" && request.method !== "HEAD")
      return answer(405, { error: "Only GET and HEAD are answered." });
    const { state, runs, claimedAt, lookedAt = startedAt, storeError } = worker.status();
    const stalled = state === "running" && Date.now() - lookedAt > stalledMs;
    const isReady = state === "running" && !stalled && storeError === undefined && claimedAt !== undefined;
    // A worker whose store was closed claims no more runs: restart its process.
    const isWell = path === "health" ? !stalled && (state !== "stopped" || storeError === undefined) : isReady;
    return answer(isWell ? 200 : 503, {
      state: stalled ? "stalled" : state,
      runs: runs.length,
      claimedAt: claimedAt ?? null,
      storeError: storeError === undefined ? null : codeOf(storeError),
    });
  };
}

function codeOf(error: Error): string {
  return BailiwickError.isInstance(error) ? error.code : error.name;
}

function answer(status: number, body: Readonly<Record<string, unknown>>): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store" } });
}
