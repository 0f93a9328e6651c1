import type { ModuleEntry } from "@bailiwick/core";

import { defaultLimits } from "../driver.ts";
import type { SandboxJob, SandboxDriver } from "../driver.ts";
import { asJavaScript, readModule, unchangedModule } from "../read-module.ts";
import {
  codeFailure,
  SandboxEndedError,
  SandboxModuleRefusedError,
  SandboxUnavailableError,
} from "../sandbox-errors.ts";
import type { SandboxRights } from "../rights.ts";
import { checkMemory, runInBox } from "./run-in-sandbox.ts";

/** Registered code by hash: this code runs, even if the file has changed. */
const registered = new Map<string, string>();
/** The modules and their exports. */
const exportsSeen = new Set<string>();

/** Code in QuickJS in WebAssembly: no file, network, environment or process. */
export const wasmDriver: SandboxDriver = {
  tier: "wasm",
  async check(rights, limits) {
    demandNothing(rights);
    checkMemory(limits);
    await runInBox(nothing, { limits: defaultLimits });
  },
  async register(entry, limits) {
    const { source, moduleHash } = await readModule(entry);
    const checked = `${moduleHash} ${entry.export}`;
    if (exportsSeen.has(checked)) return { moduleHash };
    const code = asJavaScript(entry, source);
    const outcome = await runInBox({ kind: "check", source: code, export: entry.export }, { limits });
    if (outcome.kind === "refused") throw new SandboxModuleRefusedError(entry.module, `${outcome.reason}.`);
    registered.set(moduleHash, code);
    exportsSeen.add(checked);
    return { moduleHash };
  },
  async run({ entry, moduleHash, input, context, hostCalls, limits, signal, rights }) {
    demandNothing(rights);
    const outcome = await runInBox(
      {
        kind: "call",
        source: registered.get(moduleHash) ?? (await sourceOf(entry, moduleHash)),
        export: entry.export,
        inputJson: jsonOf(input),
        contextJson: jsonOf(context),
      },
      { limits, signal, onTell: (name, args) => void hostCalls[name]?.(args) },
    );
    switch (outcome.kind) {
      case "value":
        return outcome.json === undefined ? undefined : JSON.parse(outcome.json);
      case "threw":
        throw codeFailure(outcome.error);
      case "refused":
        throw new SandboxModuleRefusedError(entry.module, `${outcome.reason}.`);
      case "calls":
        throw new SandboxEndedError("wasm", "it called a missing function");
      default:
        return outcome satisfies never;
    }
  },
};

const nothing = {
  kind: "call",
  source: "export const run = () => 1;",
  export: "run",
  inputJson: "0",
  contextJson: "{}",
} as const;

async function sourceOf(entry: ModuleEntry, moduleHash: string): Promise<string> {
  const { source } = await unchangedModule(entry, moduleHash);
  return asJavaScript(entry, source);
}

function jsonOf(value: SandboxJob["input"]): string {
  return JSON.stringify(value) ?? "null";
}

/** The tier can grant no rights, so requests for rights are refused. */
function demandNothing({ network, files, env }: SandboxRights): void {
  if (network === "none" && files === "none" && Object.keys(env).length === 0) return;
  throw new SandboxUnavailableError(
    "wasm",
    "code in it has no network, no files and no environment, and its configuration grants some",
    `Leave allowNetwork, allowFS and env out, or use "os".`,
  );
}
