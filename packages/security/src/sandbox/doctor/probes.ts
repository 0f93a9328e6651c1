import type { ProbeWorld } from "./probe-world.ts";

/** The outcome of a probe's call. */
export type ProbeOutcome = { readonly value: unknown } | { readonly code: string; readonly message: string };

/** A class of escapes. */
export interface Probe {
  /** The name in reports. */
  readonly name: string;
  /** The export of the probes' module. */
  readonly export: string;
  /** Milliseconds for it; default 60,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * The reached targets, a clause each; empty if there are none. Based on effects outside and on the output, not on
   * the probe's report.
   */
  judge(outcome: ProbeOutcome, world: ProbeWorld): Promise<readonly string[]>;
}

/** MiB of memory for the memory probes. */
export const probeMemoryMB = 64;

const reach = (name: string, exported: string): Probe => ({
  name,
  export: exported,
  judge: (outcome, world) => world.reached(outcome),
});

/** A probe that counts as held if its call ends with an error. */
const ends = (name: string, exported: string, timeoutMs?: number): Probe => ({
  name,
  export: exported,
  timeoutMs,
  judge: async (outcome, world) => [
    ...(await world.reached(outcome)),
    ...("value" in outcome ? [`it continued: ${JSON.stringify(outcome.value)}`] : []),
  ],
});

/** The classes of escapes, in the order of the specification. */
export const probes: readonly Probe[] = [
  reach("files", "files"),
  reach("environment", "environment"),
  reach("child process", "childProcess"),
  reach("TCP", "tcp"),
  reach("fetch", "fetching"),
  reach("http2", "http2"),
  reach("dns", "dns"),
  reach("WebSocket", "webSocket"),
  reach("unix socket", "unixSocket"),
  reach("process.binding", "binding"),
  reach("getBuiltinModule", "getBuiltinModule"),
  reach("nested worker", "nestedWorker"),
  reach("native addon", "nativeAddon"),
  reach("heap snapshot and report writers", "writers"),
  reach("node:sqlite", "sqlite"),
  reach("WASI", "wasi"),
  reach("signals", "signals"),
  reach("/proc", "proc"),
  reach("symlinks", "symlinks"),
  {
    name: "forged results",
    export: "forged",
    judge: async (outcome) =>
      "value" in outcome && outcome.value === "genuine" ? [] : [`its result was ${JSON.stringify(outcome)}`],
  },
  ends("exit in mid-call", "exit"),
  ends("CPU", "cpu", 3_000),
  ends("heap", "heap"),
  ends("off-heap", "offHeap"),
  {
    name: "fork bombs",
    export: "forkBomb",
    judge: async (outcome, world) => {
      const { started } = ("value" in outcome ? outcome.value : {}) as { readonly started?: unknown };
      return [
        ...(await world.reached(outcome)),
        ...(typeof started === "number" && started > 0 ? [`it started ${started} processes`] : []),
      ];
    },
  },
];
