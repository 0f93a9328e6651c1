import type { QuickJSHandle } from "quickjs-emscripten-core";

import type { SandboxOutcome } from "../messages.ts";
import type { SandboxInstance } from "./instance.ts";

/** An error inside the sandbox. */
export interface GuestError {
  readonly name: string;
  readonly message: string;
}

/** Parses an error that left the code. */
export function guestError({ context }: SandboxInstance, error: QuickJSHandle): GuestError {
  const dumped: unknown = context.dump(error);
  if (typeof dumped !== "object" || dumped === null) return { name: "Error", message: String(dumped) };
  const { name, message } = dumped as { readonly name?: unknown; readonly message?: unknown };
  return { name: typeof name === "string" ? name : "Error", message: typeof message === "string" ? message : "" };
}

/** The outcome of the code. */
export function ofGuestError(error: GuestError): SandboxOutcome {
  const isOutOfMemory = error.name === "InternalError" && error.message === "out of memory";
  return isOutOfMemory ? { kind: "memory" } : { kind: "threw", error, logs: [] };
}
