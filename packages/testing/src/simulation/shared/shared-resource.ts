import { checkArgument, checkKnownNames, ConfigurationError } from "@bailiwick/core";
import { SimulationError } from "../simulation-error.ts";
import { faultyRequests, sharedFaults, type SharedFault, type SharedParts } from "./faulty-requests.ts";

/** Options of `sharedResource`. */
export interface SharedResourceOptions<Resource> {
  /**
   * Makes the resource that all runs share: a connection, a client, a cache. Called for each play.
   *
   * @param parts - `fetch`, or `component` around a client without it: through them the resource sends its requests.
   */
  readonly make: (parts: SharedParts) => Resource | Promise<Resource>;
  /**
   * Does what one run does with the resource, and returns what the run learns. Plays without a fault have to return the same.
   *
   * @param resource - The resource.
   * @param run - Number of the run, from 1.
   */
  readonly run: (resource: Resource, run: number) => Promise<unknown>;
  /** Closes the resource. */
  readonly close?: ((resource: Resource) => unknown) | undefined;
  /** Number of runs that share it. Default 5. */
  readonly runs?: number | undefined;
  /** Faults of a request. Default: all that fit. */
  readonly faults?: readonly SharedFault[] | undefined;
}

/** A run that was hurt by a fault in a request of another run. */
export interface HurtRun {
  /** Number of the run. */
  readonly run: number;
  /** Request that failed, with its run: `run2/POST tools/call#1`. */
  readonly request: string;
  /** Fault of the request. */
  readonly fault: SharedFault;
  /** `together`, or `in turn` if each run began after the end of the one before. */
  readonly order: "together" | "in turn";
  /** Result of the run without the fault, as JSON. */
  readonly expected: string;
  /** Result of the run with the fault, as JSON. */
  readonly got: string;
}

/** Result of `sharedResource`. */
export interface SharedResourceReport {
  /** True if no run was hurt by a fault in a request of another one. */
  readonly passed: boolean;
  /** Hurt runs. */
  readonly hurt: readonly HurtRun[];
  /** Number of plays with a fault. */
  readonly plays: number;
  /** The report as text. */
  readonly text: string;
}

const orders = ["together", "in turn"] as const;

/**
 * Checks that a fault in one request of one run leaves the other runs alone, which share a resource with it: an MCP
 * connection, a model connection, a store, a memory. Each request of each run fails once with each fault, while the runs
 * work together and in turn; the results of the other runs must be those of the play without the fault, byte for byte.
 * The runs are real: nothing is routed, and no time is simulated.
 *
 * @param options - The resource, and what a run does with it.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @throws SimulationError `SIMULATION_EMPTY`, `NOT_REPEATABLE`
 * @example
 * ```ts
 * import { sharedResource } from "@bailiwick/testing/simulation";
 *
 * const { passed, text } = await sharedResource({
 *   make: ({ component }) => component("rates", { rate: async (currency: string) => (currency === "EUR" ? 1 : 2) }),
 *   run: (rates) => rates.rate("EUR"),
 * });
 * if (!passed) throw new Error(text);
 * ```
 */
export async function sharedResource<Resource>(
  options: SharedResourceOptions<Resource>,
): Promise<SharedResourceReport> {
  checkArgument(options, "object", "sharedResource() with { make, run }");
  const names: { readonly [Name in keyof Required<SharedResourceOptions<Resource>>]: true } = {
    make: true,
    run: true,
    close: true,
    runs: true,
    faults: true,
  };
  checkKnownNames(options, Object.keys(names), "sharedResource()");
  const { runs = 5, faults = sharedFaults } = options;
  if (!Number.isInteger(runs) || runs < 2)
    throw new ConfigurationError("INVALID_OPTION", `sharedResource(): "runs" must be a whole number from 2.`);
  const hurt: HurtRun[] = [];
  let plays = 0;
  for (const order of orders) {
    const first = await play(options, runs, order);
    const again = await play(options, runs, order);
    if (first.requests.length === 0)
      throw new SimulationError(
        "SIMULATION_EMPTY",
        "The resource sent no request, so no request can fail. Send its requests through the fetch that make() gets, or wrap its client with component(name, object).",
      );
    const differing = first.results.findIndex((result, index) => result !== again.results[index]);
    if (differing >= 0)
      throw new SimulationError(
        "NOT_REPEATABLE",
        `Two plays without a fault have other results: run ${differing + 1} returned ${first.results[differing] ?? ""} and ${again.results[differing] ?? ""}. Return what does not depend on time, ids or the order of runs.`,
      );
    for (const request of first.requests)
      for (const fault of faults) {
        if (isForFetch(fault) && !/\/[A-Z]+ /u.test(request)) continue;
        plays += 1;
        const { results } = await play(options, runs, order, request, fault);
        const own = Number(/^run(\d+)/u.exec(request)?.[1]);
        results.forEach((got, index) => {
          const expected = first.results[index] ?? "";
          if (index + 1 !== own && got !== expected)
            hurt.push({ run: index + 1, request, fault, order, expected, got });
        });
      }
  }
  return { passed: hurt.length === 0, hurt, plays, text: textOf(hurt, plays, runs) };
}

async function play<Resource>(
  { make, run, close }: SharedResourceOptions<Resource>,
  runs: number,
  order: HurtRun["order"],
  request?: string,
  fault?: SharedFault,
): Promise<{ readonly results: readonly string[]; readonly requests: readonly string[] }> {
  const faulty = faultyRequests(request, fault);
  const resource = await make(faulty);
  const one = async (number: number): Promise<string> =>
    faulty.as(number, async () => {
      try {
        return JSON.stringify(await run(resource, number)) ?? "undefined";
      } catch (error) {
        return JSON.stringify({ error: error instanceof Error ? error.message : String(error) });
      }
    });
  try {
    const numbers = Array.from({ length: runs }, (_, index) => index + 1);
    if (order === "together") return { results: await Promise.all(numbers.map(one)), requests: faulty.requests };
    const results: string[] = [];
    for (const number of numbers) results.push(await one(number));
    return { results, requests: faulty.requests };
  } finally {
    await close?.(resource);
  }
}

function isForFetch(fault: SharedFault): boolean {
  return fault === "cut" || typeof fault === "number";
}

function textOf(hurt: readonly HurtRun[], plays: number, runs: number): string {
  if (hurt.length === 0) return `${plays} faults in one request of one of ${runs} runs: no other run is hurt`;
  return hurt
    .slice(0, 10)
    .map(
      ({ run, request, fault, order, expected, got }) =>
        `Run ${run} is hurt by ${request}=${fault}, ${order}: it returned ${got}, and without the fault ${expected}.`,
    )
    .join("\n");
}
