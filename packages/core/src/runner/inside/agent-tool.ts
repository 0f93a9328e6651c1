import type { JsonSchema } from "../../contracts/json.ts";
import type { RunInput } from "../../contracts/run-options.ts";
import type { RunOutput } from "../../contracts/run-output.ts";
import type { Runnable } from "../../contracts/runnable.ts";
import type { Schema } from "../../contracts/schema.ts";
import type { Tool, ToolFields } from "../../contracts/tool.ts";
import type { ToolExecutionContext } from "../../contracts/tool-context.ts";
import { nestedRun } from "../tool-call/nested-run.ts";
import { insideOf, answerOf, runNode } from "./inside-of.ts";
import { isWaiting } from "../../contracts/stop-reason.ts";
import { callerOf } from "../caller/caller.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { toolNameOf } from "../../tools/tool-name.ts";
import { checkArgument } from "../../errors/value-checks.ts";
import { InvalidToolError } from "../../errors/configuration-errors.ts";
import { validateFields } from "../../tools/validate-fields.ts";

/** Fields of tools with an effect; the call of an agent has none. */
const excluded = [
  "sideEffectClass",
  "changes",
  "sandboxPolicy",
  "idempotencyScope",
  "idempotencyTtlMs",
  "cache",
  "retry",
  "execute",
] as const;
type Excluded = (typeof excluded)[number];

/** Options of `asTool()`. */
export interface AgentToolOptions<
  Input = { readonly input: string },
  Output = unknown,
  Name extends string = string,
> extends Partial<Omit<ToolFields, "description" | Excluded>> {
  /** Name of the tool. Default: the agent's name; characters that a tool name cannot contain become `_`. */
  readonly name?: Name | undefined;
  /** Description of the tool. Default: the agent's description. */
  readonly description?: string | undefined;
  /** Arguments of the call; default `{ input: string }`. */
  readonly inputSchema?: Schema<Input> | JsonSchema | undefined;
  /** Makes the input of the agent; default the argument `input`, or the arguments as JSON. */
  readonly toInput?: ((args: Input) => RunInput) | undefined;
  /** Makes the result for the caller; default the structured answer, or the text. A run that stopped early is an error. */
  readonly toOutput?: ((output: RunOutput) => Output) | undefined;
  /**
   * Requires approval by a person before the call: always, or if the function returns true for the
   * arguments. Default `false`.
   */
  readonly needsApproval?:
    | boolean
    | ((args: Input, ctx: ToolExecutionContext) => boolean | Promise<boolean>)
    | undefined;
}

const defaultInput: JsonSchema = {
  type: "object",
  properties: { input: { type: "string", description: "What the agent is asked, with everything it has to know." } },
  required: ["input"],
  additionalProperties: false,
};

/**
 * Offers an agent, or a composition, to another agent as a tool. Usage, cost, limits, labels, budget and cancellation
 * are shared with the outer run. If the inner agent waits for a person, its questions appear on the outer run, and
 * resuming that run continues the inner one. The call itself has no effect: the calls of the inner agent are checked
 * one by one.
 *
 * @param runnable - The agent.
 * @param options - Name, arguments and mapping.
 * @throws ConfigurationError `INVALID_TOOL` for an unknown option, with the nearest name, and for a value that a tool
 *   cannot have.
 *
 * @example
 * ```ts
 * import { agentTool } from "@bailiwick/core";
 * import type { Runnable, Tool } from "@bailiwick/core";
 *
 * export function expertTool(expert: Runnable): Tool {
 *   return agentTool(expert, { name: "ask_expert", description: "Asks the shipping expert." });
 * }
 * ```
 */
export function agentTool<Input = { readonly input: string }, Output = unknown, const Name extends string = string>(
  runnable: Runnable,
  options: AgentToolOptions<Input, Output, Name> = {},
): Tool<NoInfer<Input>, Output, unknown, Name> {
  checkArgument(options, "object", "asTool({ name })");
  const { name, description, inputSchema, toInput, toOutput, ...fields } = options;
  for (const field of excluded)
    if (field in fields)
      throw new InvalidToolError(
        name ?? runnable.name,
        `asTool() takes no "${field}": the calls of the agent inside are checked and run one by one. Give it to the tools of that agent.`,
      );
  const tool: Tool<Input, Output, unknown, Name> = {
    // The erased contract uses `unknown`, while `needsApproval` receives the parsed input.
    ...(fields as Pick<Tool, "needsApproval">),
    name: (name ?? toolNameOf(runnable.name)) as Name,
    description: description ?? runnable.description ?? `Asks the agent "${runnable.name}".`,
    inputSchema: inputSchema ?? defaultInput,
    sideEffectClass: "read-only",
    composition: insideOf("agent", runnable),
    execute: async (args, ctx) => {
      const ask = <T>(hook: string, call: () => T | Promise<T>): Promise<T> =>
        callerOf(ctx.runOptions.parent)?.ask(`${hook} of ${runnable.name}`, call, (answer) => answer) ??
        Promise.resolve().then(call);
      const input = toInput === undefined ? undefined : await ask("toInput", () => toInput(ownCopy(args) as Input));
      const output = await runNode(runnable, input ?? plainInput(args), ctx);
      if (toOutput === undefined || isWaiting(output.status)) return nestedRun(output, () => answerOf(output));
      const mapped = await ask("toOutput", () => toOutput(ownCopy(output))).then(
        (value) => () => value,
        (error: unknown) => () => {
          throw error;
        },
      );
      return nestedRun(output, mapped);
    },
  };
  validateFields(tool);
  return tool;
}

function plainInput(args: unknown): RunInput {
  const { input } = args as { readonly input?: unknown };
  return typeof input === "string" ? input : JSON.stringify(args);
}
