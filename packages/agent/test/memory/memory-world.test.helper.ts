import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentOptions, ModelRequest, RunOptions, RunOutput } from "@bailiwick/core";
import { memory } from "@bailiwick/memory";
import type { MemoryOptions } from "@bailiwick/memory";
import { sqliteStore, type SqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel, type Script, type ScriptedModel, type ScriptStep } from "@bailiwick/testing";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

/** The result of a run with a memory. */
export interface Remembered {
  readonly output: RunOutput;
  readonly model: ScriptedModel;
  /** The message from memory in the first request. */
  readonly told: string | undefined;
}

/** A folder with a store in a file, which is removed with its content. */
export function memoryFile(): { readonly path: string; readonly store: SqliteStore } & AsyncDisposable {
  const folder = mkdtempSync(join(tmpdir(), "bailiwick-memory-"));
  const path = join(folder, "store.db");
  const store = sqliteStore({ path });
  return {
    path,
    store,
    async [Symbol.asyncDispose]() {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs an agent once, for Ana; each run is a separate session. */
export async function remembering(
  given: Omit<MemoryOptions, "store"> & { readonly store: SqliteStore },
  script: Script,
  {
    input = "Hello.",
    agent = {},
    run = {},
  }: {
    readonly input?: string;
    readonly agent?: Partial<AgentOptions>;
    readonly run?: RunOptions;
  } = {},
): Promise<Remembered> {
  const model = scriptedModel(script);
  const own = new Agent({ name: "desk", model, logger: quiet, store: given.store, memory: memory(given), ...agent });
  const output = await own.run(input, { userId: "ana", ...run });
  return { output, model, told: toldIn(model.requests[0]) };
}

/** The message from memory in a request, as text. */
export function toldIn(request: ModelRequest | undefined): string | undefined {
  const texts = (request?.messages ?? [])
    .filter(({ role }) => role === "user")
    .map(({ content }) => JSON.stringify(content));
  return texts.find((text) => text.includes("[From memory;"));
}

/** A step of a model that calls tools. */
export function calling(
  ...calls: readonly (readonly [name: string, args: Readonly<Record<string, unknown>>])[]
): ScriptStep {
  return { toolCalls: calls.map(([name, args]) => ({ name, arguments: args })) };
}
