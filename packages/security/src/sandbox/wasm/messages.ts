/** A call that a model's program has made, with its result. */
export interface RecordedCall {
  readonly name: string;
  /** JSON. */
  readonly args: string;
  readonly result: { readonly ok: true; readonly json: string } | { readonly ok: false; readonly message: string };
}

/** A task for a sandbox. Texts whose names end in `Json` are JSON. */
export type SandboxTask =
  /** Loads a module and checks that it has the export. */
  | { readonly kind: "check"; readonly source: string; readonly export: string }
  /** Calls an export. */
  | {
      readonly kind: "call";
      readonly source: string;
      readonly export: string;
      readonly inputJson: string;
      readonly contextJson: string;
    }
  /** Runs a program until it ends, or waits for new calls. */
  | {
      readonly kind: "program";
      readonly source: string;
      readonly tools: readonly string[];
      /** Earlier calls, step by step: calls of a step ran in parallel. */
      readonly steps: readonly (readonly RecordedCall[])[];
      /** The program's constant time, in milliseconds since the epoch. */
      readonly now: number;
      readonly seed: number;
    };

/** Limits inside the worker; time is limited outside of it. */
export interface SandboxBounds {
  readonly memoryMB: number;
  readonly outputBytes: number;
}

/** Messages from the host to the worker. */
export interface ToSandbox {
  /** Marks every message of this task. */
  readonly nonce: string;
  readonly task: SandboxTask;
  readonly bounds: SandboxBounds;
}

/** Outcome of a task. */
export type SandboxOutcome =
  | { readonly kind: "value"; readonly json: string | undefined; readonly logs: readonly string[] }
  | { readonly kind: "calls"; readonly calls: readonly { readonly name: string; readonly args: string }[] }
  | {
      readonly kind: "threw";
      readonly error: { readonly name: string; readonly message: string };
      readonly logs: readonly string[];
    }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "memory" }
  | { readonly kind: "output" }
  | { readonly kind: "ended"; readonly how: string };

/** Messages from the worker to the host. */
export type FromSandbox =
  | { readonly nonce: string; readonly kind: "tell"; readonly name: string; readonly args: string }
  | { readonly nonce: string; readonly kind: "settled"; readonly outcome: SandboxOutcome };
