import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { SandboxCall, SandboxConfig, SandboxedToolContext, SandboxPort } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";

/** A sandbox under test, and the configuration that selects its tier. */
export interface SandboxUnderTest {
  /** The sandbox to test. */
  readonly sandbox: SandboxPort;
  /** The tier without rights: no network, no files. The cases set `timeout` and `maxMemoryMB`. */
  readonly config: SandboxConfig;
  /** Called at the end of the case. */
  readonly dispose?: (() => void | Promise<void>) | undefined;
}

/** Makes the sandbox under test; called for each case. */
export type CreateSandbox = () => SandboxUnderTest | Promise<SandboxUnderTest>;

/** Promises that a tier does not make; their cases are left out. */
export interface SandboxTraits {
  /** `false` for a tier that stops neither files nor network, such as `process`. Default `true`. */
  readonly isolates?: boolean | undefined;
}

/** A module that is registered with the sandbox. */
interface TriedModule {
  /** Calls its export `run`. */
  call(terms?: Partial<Pick<SandboxCall, "input" | "signal" | "timeoutMs">>): Promise<unknown>;
  /** Replaces the text of its file. */
  rewrite(source: string): Promise<void>;
}

/** Registers the text of a module. */
export type Register = (source: string, limits?: { readonly maxMemoryMB?: number }) => Promise<TriedModule>;

/** A case with its own sandbox and its own folder. */
export function sandboxCase(
  create: CreateSandbox,
  name: string,
  run: (register: Register, folder: string) => Promise<void>,
): ConformanceCase {
  return {
    name,
    async run() {
      const folder = await mkdtemp(join(tmpdir(), "bailiwick-sandbox-"));
      await mkdir(join(folder, "module"));
      const under = await create();
      try {
        await run((source, limits) => register(under, join(folder, "module", "tool.mjs"), source, limits), folder);
      } finally {
        await under.dispose?.();
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function register(
  { sandbox, config: given }: SandboxUnderTest,
  file: string,
  source: string,
  limits: { readonly maxMemoryMB?: number } = {},
): Promise<TriedModule> {
  await writeFile(file, source);
  const config = { ...given, ...limits };
  const terms = {
    entry: { module: pathToFileURL(file), export: "run" },
    trustClass: "first-party-user-defined",
    saidBy: "tool",
    config,
  } as const;
  const { moduleHash } = await sandbox.resolve({ ...terms, name: "tried", policy: config.tier });
  return {
    rewrite: (text) => writeFile(file, text),
    call: ({ input = {}, signal = new AbortController().signal, timeoutMs = 20_000 } = {}) =>
      sandbox.execute({ ...terms, moduleHash, input, signal, timeoutMs, context }),
  };
}

/** The context of each call: no network, no secrets. */
const context: SandboxedToolContext = {
  toolCallId: "call-1",
  toolName: "tried",
  runId: "run-1",
  step: 1,
  attempt: 1,
  metadata: { of: "the run" },
  log: () => undefined,
  reportProgress: () => undefined,
  fetch: () => Promise.reject(new Error("This case has no network.")),
  secretHeader: () => Promise.reject(new Error("This case has no secrets.")),
};

/** Expects that a promise rejects with one of these codes. */
export async function rejectsAs(promise: Promise<unknown>, codes: readonly string[], what: string): Promise<void> {
  const outcome = await promise.then(
    (value) => ({ code: `a result: ${JSON.stringify(value)}` }),
    (error: unknown) => error as { readonly code?: unknown },
  );
  assert.ok(
    codes.includes(String(outcome.code)),
    `${what} has to fail with ${codes.join(" or ")}, not ${String(outcome.code)}`,
  );
}
