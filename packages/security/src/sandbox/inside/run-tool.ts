import type { SandboxFrame } from "../frames.ts";
import type { HostChannel } from "./host-channel.ts";
import { sandboxedFetch, toolContext } from "./tool-context.ts";

/** Settings of the runner. */
export interface RunnerSettings {
  /** True if the host makes the requests of `fetch`, because the sandbox has no network. */
  readonly fetchByHost: boolean;
}

/**
 * Makes the one call of this process.
 *
 * @param host - Channel to the host.
 * @param settings - Settings of the runner.
 */
export async function runTool(host: HostChannel, settings: RunnerSettings): Promise<void> {
  const { stringify } = JSON;
  const start = await host.start;
  const context = toolContext(start.context as object, host);
  if (settings.fetchByHost) globalThis.fetch = sandboxedFetch(host);
  let frame: Exclude<SandboxFrame, { readonly kind: "call" }>;
  try {
    const exported = ((await import(start.module)) as Readonly<Record<string, unknown>>)[start.export];
    if (typeof exported !== "function") {
      throw new TypeError(`The module has no exported function "${start.export}".`);
    }
    const value: unknown = await (exported as (input: unknown, context: unknown) => unknown)(start.input, context);
    // A value without a JSON form fails here, where the error can still be reported.
    stringify(value);
    frame = { kind: "result", value };
  } catch (error) {
    frame = { kind: "error", error: toldOf(error) };
  }
  host.settle(frame);
}

/** An error in the form that crosses the boundary: any value may be thrown. */
function toldOf(thrown: unknown): { readonly name?: string; readonly message: string } {
  try {
    if (thrown instanceof Error) {
      // The code inside set them, so their declared types prove nothing.
      const { name, message } = thrown as { readonly name: unknown; readonly message: unknown };
      return { name: String(name), message: String(message) };
    }
    return { message: typeof thrown === "string" ? thrown : `It threw ${String(thrown)}.` };
  } catch {
    return { message: "It threw a value that cannot be written as text." };
  }
}
