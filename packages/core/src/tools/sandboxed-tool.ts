import { checkArgument } from "../errors/value-checks.ts";
import type { ContentPart } from "../contracts/content-part.ts";
import type { JsonSchema } from "../contracts/json.ts";
import type { ModuleEntry } from "../contracts/sandbox-config.ts";
import type { Schema } from "../contracts/schema.ts";
import type { Tool } from "../contracts/tool.ts";
import type { ParsedInput, TypedToolFields } from "./tool.ts";
import { validateFields } from "./validate-fields.ts";

/** Options of `sandboxedTool()`. */
export interface SandboxedToolOptions<
  Name extends string,
  InputSchema extends Schema | JsonSchema,
  Output,
  Dependencies,
> extends TypedToolFields<Name, InputSchema, Output, Dependencies> {
  /** Parses the module's result, and types it; without it the output is `unknown`. */
  readonly outputSchema?: Schema<Output> | undefined;
  /** An absolute `file:` URL to JavaScript, and the export that is called with the input and a `SandboxedToolContext`. */
  readonly execute: ModuleEntry;
  /** The model reads this instead of the output as JSON; runs in this process. */
  readonly toModelOutput?:
    | ((output: NoInfer<Output>, input: ParsedInput<InputSchema>) => string | readonly ContentPart[])
    | undefined;
}

/**
 * Makes a tool whose code runs in a sandbox: a module entry instead of a closure. Its callbacks (`needsApproval`,
 * `idempotencyKey`, …) run in this process.
 *
 * @param options - The tool; each field names its default.
 * @returns The tool, frozen.
 * @throws InvalidToolError for an unknown or a wrong field.
 * @example
 * ```ts
 * import { sandboxedTool } from "@bailiwick/core";
 * import { z } from "zod";
 *
 * export const render = sandboxedTool({
 *   name: "render",
 *   description: "Renders a template that a customer wrote.",
 *   inputSchema: z.object({ template: z.string() }),
 *   outputSchema: z.object({ html: z.string() }),
 *   sideEffectClass: "pure",
 *   sandboxPolicy: "wasm",
 *   execute: { module: new URL("./render.js", import.meta.url), export: "render" },
 * });
 * ```
 */
export function sandboxedTool<
  const Name extends string,
  InputSchema extends Schema | JsonSchema,
  Output = unknown,
  Dependencies = unknown,
>(
  options: SandboxedToolOptions<Name, InputSchema, Output, Dependencies>,
): Tool<ParsedInput<InputSchema>, Output, Dependencies, Name> {
  checkArgument(options, "object", "sandboxedTool({ name, execute })");
  validateFields(options as unknown as Tool);
  // `Tool` types the callbacks' input as `unknown`; these callbacks take the parsed input.
  return Object.freeze({ ...options }) as unknown as Tool<ParsedInput<InputSchema>, Output, Dependencies, Name>;
}
