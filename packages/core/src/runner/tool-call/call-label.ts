import type { Label } from "../../contracts/label.ts";

/** Shared by every copy of the package: a context may come from another one. */
export const labelKey: unique symbol = Symbol.for("bailiwick.call-label");

/**
 * The label of what a call stores outside of its result: the labels of all that led to the call, joined with the trust
 * in the tool's results. A tool that stores values keeps it with them, and returns it with each result that has them.
 *
 * @param context - The context that `execute` got.
 * @returns `undefined` for another object.
 * @example
 * ```ts
 * import { toolReturn } from "@bailiwick/core";
 * import { labelOfCall, type Label, type ToolExecutionContext } from "@bailiwick/core/extension";
 *
 * const notes = new Map<string, { readonly text: string; readonly label: Label | undefined }>();
 *
 * export function keep(name: string, text: string, ctx: ToolExecutionContext): void {
 *   notes.set(name, { text, label: labelOfCall(ctx) });
 * }
 * export function read(name: string): unknown {
 *   const { text, label } = notes.get(name) ?? {};
 *   return toolReturn({ output: text, label: label && { integrity: label.integrity, readers: label.readers } });
 * }
 * ```
 */
export function labelOfCall(context: object): Label | undefined {
  return (context as { readonly [labelKey]?: Label })[labelKey];
}
