import { checkReaders } from "../errors/check-readers.ts";
import { checkKnownNames } from "../errors/value-checks.ts";
import { toolReturnBrand, type ToolReturn } from "../contracts/tool-return.ts";

/**
 * Returns more than an output from `execute`: images and files for the model, details for people, a label, or the
 * end of the run.
 *
 * @param result - The output, and its notes.
 * @returns The branded result; a plain object of the same shape would count as the output itself.
 * @throws ConfigurationError `UNKNOWN_OPTION` for a name that it does not have, `INVALID_OPTION` for a reader without a
 *   kind.
 * @example
 * ```ts
 * import { tool, toolReturn } from "@bailiwick/core";
 * import { z } from "zod";
 *
 * export const chart = tool({
 *   name: "chart",
 *   description: "Draws the sales of a month.",
 *   inputSchema: z.object({ month: z.string() }),
 *   sideEffectClass: "read-only",
 *   execute: async ({ month }) =>
 *     toolReturn({
 *       output: { month, total: 1200 },
 *       contentParts: [{ type: "image", url: "https://shop.example/chart.png" }],
 *     }),
 * });
 * ```
 */
export function toolReturn<Output>(result: Omit<ToolReturn<Output>, typeof toolReturnBrand>): ToolReturn<Output> {
  checkKnownNames(result, ["output", "contentParts", "details", "label", "endRun"], "toolReturn()");
  checkReaders((result as Partial<typeof result> | undefined)?.label?.readers, "toolReturn(): label.readers");
  return Object.freeze({ ...result, [toolReturnBrand]: true as const });
}

/**
 * True if a value was made by `toolReturn()`, in any copy of this package.
 *
 * @param value - Any value.
 */
export function isToolReturn(value: unknown): value is ToolReturn {
  return typeof value === "object" && value !== null && (value as Partial<ToolReturn>)[toolReturnBrand] === true;
}
