import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ModuleEntry, SandboxCall, SandboxConfig, SandboxedToolContext } from "@bailiwick/core";
import { onTestFinished } from "vitest";

import { createSandbox } from "./create-sandbox.ts";

/** Options of a call besides its input. */
type CallTerms = Partial<Pick<SandboxCall, "signal" | "timeoutMs">> & {
  readonly context?: Partial<SandboxedToolContext>;
};

/** A registered module on disk; `run` calls its export. */
export interface RegisteredModule {
  readonly entry: ModuleEntry;
  readonly moduleHash: string;
  run(input?: unknown, terms?: CallTerms): Promise<unknown>;
  /** Writes another text into its file. */
  rewrite(source: string): Promise<void>;
}

/** Writes a module to its own file. */
export async function moduleFile(source: string, name = "tool.mjs"): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), "bailiwick-module-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  await writeFile(file, source);
  return pathToFileURL(file);
}

/** Writes a module and registers it. */
export async function registered(source: string, config: SandboxConfig, name?: string): Promise<RegisteredModule> {
  const entry = { module: await moduleFile(source, name), export: "run" };
  const terms = { entry, config, trustClass: "first-party-user-defined", saidBy: "tool" } as const;
  const sandbox = createSandbox();
  const { moduleHash } = await sandbox.resolve({ ...terms, name: "t", policy: config.tier });
  return {
    entry,
    moduleHash,
    rewrite: (text) => writeFile(entry.module, text),
    run: (input = {}, { context, signal, timeoutMs = 0 } = {}) =>
      sandbox.execute({
        ...terms,
        moduleHash,
        input,
        signal: signal ?? new AbortController().signal,
        timeoutMs,
        context: { ...bareContext, ...context },
      }),
  };
}

export const bareContext: SandboxedToolContext = {
  toolCallId: "call-1",
  toolName: "t",
  runId: "run-1",
  step: 1,
  attempt: 1,
  metadata: {},
  log: () => undefined,
  reportProgress: () => undefined,
  fetch: () => Promise.reject(new Error("This test has no network.")),
  secretHeader: () => Promise.reject(new Error("This test has no secrets.")),
};

/** The code of the error that a promise rejects with. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return { returned: await promise };
  } catch (error) {
    return (error as { readonly code?: unknown }).code ?? error;
  }
}
