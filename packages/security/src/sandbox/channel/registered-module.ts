import type { ModuleEntry } from "@bailiwick/core";

import { crypto, fs, path, url } from "../node.ts";
import { SandboxModuleChanged, SandboxModuleRefused } from "../sandbox-errors.ts";

/** Endings that Node runs as JavaScript. */
const javaScript = new Set([".js", ".mjs", ".cjs"]);
const typeScript = new Set([".ts", ".mts", ".cts"]);

/**
 * Reads a module that Node is to run in a sandbox.
 *
 * @param entry - From the tool.
 * @returns SHA-256 in hex of its file.
 * @throws SandboxModuleRefused when there is no such file, or Node does not run its kind.
 */
export async function registerModule({ module }: ModuleEntry): Promise<string> {
  const ending = path.extname(module.pathname);
  const stripsTypes = Boolean((process.features as { readonly typescript?: unknown }).typescript);
  if (typeScript.has(ending) && !stripsTypes) {
    throw new SandboxModuleRefused(
      module,
      `this Node does not strip types from "${ending}". Point it at the built JavaScript.`,
    );
  }
  if (!javaScript.has(ending) && !typeScript.has(ending)) {
    throw new SandboxModuleRefused(module, `"${ending}" is no ending of JavaScript (.js, .mjs, .cjs).`);
  }
  try {
    return await hashOf(module);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unreadable";
    throw new SandboxModuleRefused(module, `its file cannot be read (${code}).`, { cause });
  }
}

/**
 * Checks that a module is still the one that was registered.
 *
 * @throws SandboxModuleChanged
 */
export async function demandUnchanged({ module }: ModuleEntry, moduleHash: string): Promise<void> {
  const now = await hashOf(module).catch(() => undefined);
  if (now !== moduleHash) throw new SandboxModuleChanged(module);
}

async function hashOf(module: URL): Promise<string> {
  return crypto
    .createHash("sha256")
    .update(await fs.promises.readFile(url.fileURLToPath(module)))
    .digest("hex");
}
