import type * as FileSystem from "node:fs/promises";
import type * as NodeModule from "node:module";
import { defaultHasher } from "@bailiwick/core/extension";
import type { ModuleEntry } from "@bailiwick/core";

import { nodeModule } from "../net/index.ts";
import { SandboxModuleChangedError, SandboxModuleRefusedError } from "./sandbox-errors.ts";

/** A module on disk. */
export interface ReadModule {
  /** The source as written, types included. */
  readonly source: string;
  /** SHA-256 in hex of the source. */
  readonly moduleHash: string;
}

const hasher = defaultHasher();

/**
 * Reads a module and hashes it.
 *
 * @throws SandboxModuleRefusedError if there is no such file, or it is not text.
 */
export async function readModule({ module }: ModuleEntry): Promise<ReadModule> {
  const { readFile } = nodeModule<typeof FileSystem>("node:fs/promises", "A sandboxed tool");
  let source: string;
  try {
    source = new TextDecoder("utf-8", { fatal: true }).decode(await readFile(module));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SandboxModuleRefusedError(module, `it cannot be read: ${reason}`, { cause });
  }
  return { source, moduleHash: hasher.sha256(source) };
}

/**
 * Checks that a module is still the registered one.
 *
 * @throws SandboxModuleChangedError if it differs.
 */
export async function unchangedModule(entry: ModuleEntry, moduleHash: string): Promise<ReadModule> {
  const read = await readModule(entry);
  if (read.moduleHash !== moduleHash) throw new SandboxModuleChangedError(entry.module);
  return read;
}

/**
 * A module as JavaScript: unchanged, or without its types if this process strips types.
 *
 * @throws SandboxModuleRefusedError for TypeScript if it does not.
 */
export function asJavaScript({ module }: ModuleEntry, source: string): string {
  if (!/\.[mc]?ts$/u.test(module.pathname)) return source;
  const { process } = globalThis as { readonly process?: { readonly features?: { readonly typescript?: unknown } } };
  const { stripTypeScriptTypes } = nodeModule<typeof NodeModule>("node:module", "TypeScript in a sandbox");
  if (typeof stripTypeScriptTypes !== "function" || !process?.features?.typescript) {
    throw new SandboxModuleRefusedError(module, "this process does not strip types. Compile it to JavaScript.");
  }
  try {
    return stripTypeScriptTypes(source);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SandboxModuleRefusedError(module, `its types cannot be stripped: ${reason}`, { cause });
  }
}
