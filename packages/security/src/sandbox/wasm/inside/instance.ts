import { newQuickJSWASMModuleFromVariant, newVariant } from "quickjs-emscripten-core";
import type { QuickJSContext, QuickJSRuntime, QuickJSSyncVariant } from "quickjs-emscripten-core";
import variant from "@jitl/quickjs-ng-wasmfile-release-sync";

/** The part of WebAssembly that is used here; its types belong to the DOM library, which is not loaded. */
interface WebAssemblyHere {
  readonly Memory: new (bounds: { readonly initial: number; readonly maximum: number }) => WasmMemory;
}

/** A linear memory. */
interface WasmMemory {
  readonly buffer: { readonly byteLength: number };
}

const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: WebAssemblyHere };

/** An interpreter with its own memory; it serves one task and is then garbage-collected. */
export interface SandboxInstance {
  readonly memoryMB: number;
  readonly memory: WasmMemory;
  readonly runtime: QuickJSRuntime;
  readonly context: QuickJSContext;
}

const pagesPerMB = 16;
/** Initial memory of the interpreter. */
const initialPages = 256;
/** Size of the interpreter's stack; the thread's is far larger. */
const stackBytes = 1024 * 1024;

/**
 * A fresh interpreter: its own linear memory, which cannot grow beyond the limit and contains no data of earlier tasks.
 *
 * @param wasmModule - The compiled interpreter.
 * @param memoryMB - From 16 to 2,048.
 */
export async function freshInstance(wasmModule: object, memoryMB: number): Promise<SandboxInstance> {
  const memory = new wasm.Memory({ initial: initialPages, maximum: Math.floor(memoryMB * pagesPerMB) });
  const engine = await newQuickJSWASMModuleFromVariant(
    newVariant(variant as unknown as QuickJSSyncVariant, {
      wasmModule: () => Promise.resolve(wasmModule as never),
      wasmMemory: memory as never,
    }),
  );
  const runtime = engine.newRuntime();
  runtime.setMaxStackSize(stackBytes);
  runtime.setModuleLoader((name) => ({
    error: new Error(
      `it imports "${name}", and a wasm sandbox runs one self-contained module. Bundle it into one file`,
    ),
  }));
  return { memoryMB, memory, runtime, context: runtime.newContext() };
}
