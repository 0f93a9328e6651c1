import type { ModuleEntry } from "@bailiwick/core";

import { path } from "../node.ts";
import { readModule } from "../read-module.ts";
import { SandboxModuleRefusedError } from "../sandbox-errors.ts";

/** File extensions that Node runs as JavaScript. */
const javaScript = new Set([".js", ".mjs", ".cjs"]);
const typeScript = new Set([".ts", ".mts", ".cts"]);

/**
 * Reads a module that Node will run in a sandbox.
 *
 * @param entry - From the tool.
 * @returns SHA-256 in hex of its file.
 * @throws SandboxModuleRefusedError if there is no such file, or Node cannot run its kind.
 */
export async function registerModule(entry: ModuleEntry): Promise<string> {
  const { module } = entry;
  const ending = path.extname(module.pathname);
  const stripsTypes = Boolean((process.features as { readonly typescript?: unknown }).typescript);
  if (typeScript.has(ending) && !stripsTypes) {
    throw new SandboxModuleRefusedError(
      module,
      `this Node does not strip types from "${ending}". Compile it to JavaScript.`,
    );
  }
  if (!javaScript.has(ending) && !typeScript.has(ending)) {
    throw new SandboxModuleRefusedError(module, `"${ending}" is not an ending of JavaScript (.js, .mjs, .cjs).`);
  }
  return (await readModule(entry)).moduleHash;
}
