import { checkArgument } from "@bailiwick/core";
import type { ScriptToolCall } from "../script/script-part.ts";

/**
 * Calls, one after another, as one program for `codeMode()` of `@bailiwick/core`: it continues when a call fails, and
 * returns all results.
 *
 * @param calls - The calls; arguments as JSON texts are parsed.
 * @returns a call of `run_code`.
 *
 * @example
 * ```ts
 * import { programOf } from "@bailiwick/testing";
 *
 * const call = programOf([{ name: "send_mail", arguments: { to: "ada@example.com" } }]);
 * console.log(call.name); // "run_code"
 * ```
 */
export function programOf(calls: readonly ScriptToolCall[]): ScriptToolCall {
  checkArgument(calls, "array", "programOf(calls)");
  const lines = calls.map(({ name, arguments: args }) => {
    const written = typeof args === "string" ? args : JSON.stringify(args ?? {});
    return `try { read.push(await tools[${JSON.stringify(name)}](${written})); } catch (error) { read.push(error.message); }`;
  });
  return { name: "run_code", arguments: { code: ["const read = [];", ...lines, "return read;"].join("\n") } };
}
