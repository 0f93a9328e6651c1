import type * as FileSystem from "node:fs/promises";
import type * as NodeModule from "node:module";

import { nodeModule } from "../../net/index.ts";
import { SandboxUnavailableError } from "../sandbox-errors.ts";

/** The part of WebAssembly that is used here; its types belong to the DOM library, which is not loaded. */
interface WebAssemblyHere {
  compile(bytes: Uint8Array): Promise<object>;
}

let compiled: Promise<object> | undefined;

/**
 * The compiled interpreter, which threads share: it is compiled once per process.
 *
 * @throws SandboxUnavailableError if it is not available.
 */
export async function interpreter(): Promise<object> {
  compiled ??= compile();
  try {
    return await compiled;
  } catch (cause) {
    compiled = undefined;
    if (cause instanceof SandboxUnavailableError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SandboxUnavailableError(
      "wasm",
      `its interpreter could not be loaded (${reason})`,
      "It needs Node 22.20 or later, with the dependencies of @bailiwick/security installed beside the application.",
      { cause },
    );
  }
}

async function compile(): Promise<object> {
  const what = "The wasm sandbox";
  const { createRequire } = nodeModule<typeof NodeModule>("node:module", what);
  const { readFile } = nodeModule<typeof FileSystem>("node:fs/promises", what);
  const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: WebAssemblyHere };
  const file = createRequire(import.meta.url).resolve("@jitl/quickjs-ng-wasmfile-release-sync/wasm");
  return wasm.compile(await readFile(file));
}
