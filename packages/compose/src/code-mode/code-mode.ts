import { BailiwickError, ConfigurationError, ToolError, checkKnownNames, exposeRuntime } from "@bailiwick/core";
import type { InboundSanitizationPolicy, RunOutput, Tool, ToolExecutionContext, ToolFields } from "@bailiwick/core";
import {
  defaultSanitization,
  defaultsOf,
  insideOf,
  namesOf,
  nestedRun,
  registrationOf,
  runNode,
} from "@bailiwick/core/extension";
import type { ToolHost } from "@bailiwick/core/extension";
import { codeAgent } from "./code-agent.ts";
import type { CodeLimits, ProgramEnd } from "./written-program.ts";
import { describeTools } from "./describe-tools.ts";

/** Tools that programs can call, and their limits. */
export interface CodeModeOptions<Name extends string = "run_code">
  extends CodeLimits, Pick<ToolFields, "tags" | "maxResultTokens" | "truncationStrategy"> {
  /** Programs call these as `tools.<name>(args)`. They need not be tools of the agent. */
  readonly tools: readonly Tool[];
  /** Default `run_code`. */
  readonly name?: Name | undefined;
  /** Text before the list of tools. Default: it explains what programs are for. */
  readonly description?: string | undefined;
  /** Steps of calls in one program, each of any number of parallel calls; default 50. */
  readonly maxSteps?: number | undefined;
}

/** The outcome of a program. */
export interface CodeModeOutput {
  /** The returned value; absent if it returned nothing. */
  readonly result?: unknown;
  /** Its log, one text per line. */
  readonly logs?: readonly string[];
}

const defaultDescription =
  "Runs JavaScript that you write, and gives you what it returns. Use it to call several tools in one go: in loops, side by " +
  "side, with the results of one for another, and to return only what you need to read.";

/**
 * Lets a model write a program that calls tools, instead of calling them one by one. The program runs in a wasm
 * sandbox without files, network or clock; it can only call tools. Each call is checked, approved, journaled and
 * labelled like a call of the model. A program that waits for a person, or whose process dies, continues later from
 * the journal: no call is made twice.
 *
 * @param options - The tools, and limits.
 * @returns a tool for `Agent({ tools })`.
 * @throws ConfigurationError `INVALID_OPTION` for no tools, or two of one name; the agent's construction throws the
 *   errors of invalid tools, and `PORT_MISSING` without a sandbox.
 *
 * @example
 * ```ts
 * import { codeMode } from "@bailiwick/compose/code-mode";
 * import { tool } from "@bailiwick/core";
 * import { z } from "zod";
 *
 * const stock = tool({
 *   name: "stock",
 *   description: "Says how many of an item are there.",
 *   inputSchema: z.object({ item: z.string() }),
 *   sideEffectClass: "read-only",
 *   execute: ({ item }) => ({ item, count: item.length }),
 * });
 *
 * export const runCode = codeMode({ tools: [stock] });
 * ```
 */
export function codeMode<const Name extends string = "run_code">(
  options: CodeModeOptions<Name>,
): Tool<{ readonly code: string }, CodeModeOutput, unknown, Name> {
  checkKnownNames(
    options ?? null,
    [
      "tools",
      "name",
      "description",
      "maxSteps",
      "timeout",
      "maxMemoryMB",
      "tags",
      "maxResultTokens",
      "truncationStrategy",
    ],
    "codeMode()",
  );
  const {
    tools,
    name = "run_code" as Name,
    description = defaultDescription,
    maxSteps = 50,
    timeout,
    maxMemoryMB,
  } = options;
  checkTools(name, tools, maxSteps);
  const bind = (host: ToolHost): Tool => {
    const runtime = codeAgent(host, { name, tools, maxSteps, timeout, maxMemoryMB });
    const runnable = { name, run: runtime.run, stream: runtime.stream };
    exposeRuntime(runnable, runtime);
    return {
      ...made,
      description: `${description}\n\n${describeTools(runtime.definition.registry.known.list(), tools)}`,
      ...(host.ports.sanitizer !== undefined && sanitizationFor(tools)),
      composition: { ...insideOf("agent", runnable), names: namesOf(tools) },
      execute: async (args: unknown, ctx: ToolExecutionContext) => {
        const { code } = args as { readonly code: string };
        // The model of this agent is the program, so the run's model settings do not apply.
        const {
          model: _model,
          temperature: _temperature,
          maxTokens: _most,
          stopWhen: _stop,
          ...handed
        } = ctx.runOptions;
        const output = await runNode(runnable, code, { runOptions: handed });
        return nestedRun(output, () => outputOf(output));
      },
    };
  };
  const made: Tool = {
    name,
    description,
    tags: options.tags,
    maxResultTokens: options.maxResultTokens,
    truncationStrategy: options.truncationStrategy,
    inputSchema: {
      type: "object",
      properties: {
        code: {
          type: "string",
          description:
            "The body of an async function. It sees `tools` and `console`, and returns what you want to read, as JSON.",
        },
      },
      required: ["code"],
      additionalProperties: false,
    },
    // The calls inside the program are checked one by one.
    sideEffectClass: "read-only",
    composition: { kind: "agent", gated: true, bind, names: namesOf(tools) },
    execute: () => {
      throw new ConfigurationError("NO_AGENT", `${name} is made for the agent that it is given to; call it in a run.`);
    },
  };
  return made as Tool<{ readonly code: string }, CodeModeOutput, unknown, Name>;
}

function checkTools(name: string, tools: readonly Tool[], maxSteps: number): void {
  const refuse = (message: string): never => {
    throw new ConfigurationError("INVALID_OPTION", `codeMode() "${name}": ${message}`);
  };
  if (!Array.isArray(tools) || tools.length === 0) refuse(`"tools" must be a list with at least one tool.`);
  if (!Number.isInteger(maxSteps) || maxSteps < 1) refuse(`"maxSteps" must be a whole number above 0.`);
  for (const tool of tools) {
    if ((tool.composition as { readonly kind?: string } | undefined)?.kind === "handoff")
      refuse(`"${tool.name}" hands the conversation over, which a program cannot do.`);
    if (tools.some((other) => other !== tool && other.name === tool.name))
      refuse(`two of its tools are called "${tool.name}".`);
  }
}

/** Third-party results are read as part of the program's result, so it is sanitized as they would have been. */
function sanitizationFor(tools: readonly Tool[]): Pick<Tool, "inboundSanitization" | "failClosed"> {
  const policies = tools.map((tool): InboundSanitizationPolicy => {
    const { source, operator } = registrationOf(tool);
    return operator?.inboundSanitization ?? tool.inboundSanitization ?? defaultSanitization(tool, defaultsOf(source));
  });
  const strips = policies.some((policy) => policy.includes("strip"));
  const wraps = policies.some((policy) => policy.includes("wrap"));
  return {
    inboundSanitization:
      strips && wraps
        ? "detect-and-strip-and-wrap"
        : strips
          ? "detect-and-strip"
          : wraps
            ? "detect-and-wrap"
            : "detect-and-flag",
    ...(tools.some(({ failClosed }) => failClosed === true) && { failClosed: true }),
  };
}

/**
 * The text about a program that the model reads.
 *
 * @throws ToolError with the program's error, its log, and the calls that it made.
 */
function outputOf(output: RunOutput): CodeModeOutput {
  const called = output.toolCalls.filter(({ isError }) => !isError).map(({ toolName }) => toolName);
  const done = called.length === 0 ? "" : ` It had called, with effect: ${called.join(", ")}.`;
  if (output.status !== "completed") {
    throw new ToolError(`The program was stopped before it was done (${output.stopReason}).${done}`);
  }
  const last = output.messages.findLast(({ role }) => role === "assistant");
  const state =
    last?.role === "assistant" ? (last.providerState as { readonly program?: ProgramEnd } | undefined) : undefined;
  const end = state?.program;
  if (end === undefined) throw new ToolError(`The program gave no result.${done}`);
  const logs = end.logs.length === 0 ? {} : { logs: end.logs };
  if (end.ok) return { ...(end.json !== undefined && { result: JSON.parse(end.json) as unknown }), ...logs };
  if (end.code === "SANDBOX_UNAVAILABLE") throw new BailiwickError(end.code, end.message);
  const said = end.logs.length === 0 ? "" : ` It had logged: ${end.logs.join(" | ")}.`;
  throw new ToolError(`The program failed: ${end.message}${end.message.endsWith(".") ? "" : "."}${done}${said}`);
}
