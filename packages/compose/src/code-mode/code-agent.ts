import { ConfigurationError } from "@bailiwick/core";
import type { AgentOptions, AgentRuntime, FlowMode, FlowOptions, Tool } from "@bailiwick/core";
import {
  asFlow,
  createRuntime,
  defaultHasher,
  isThenable,
  programOptions,
  registrationOf,
} from "@bailiwick/core/extension";
import type { ToolHost } from "@bailiwick/core/extension";
import { forPrograms } from "../program-tools.ts";
import { codeModel } from "./code-model.ts";
import { codeRunner } from "./code-runner.ts";
import type { CodeLimits } from "./written-program.ts";

/** Tools and limits of a program. */
export interface CodeAgentOptions extends CodeLimits {
  readonly name: string;
  readonly tools: readonly Tool[];
  /** Maximum number of steps in one program; a step is a group of parallel calls. */
  readonly maxSteps: number;
}

/**
 * The agent that runs programs. Its model is the program, its tools are the ones that programs may call, and it has the
 * authority of the agent whose model wrote the program.
 *
 * @throws ConfigurationError `PORT_MISSING` without a sandbox, and the errors of an agent with these tools.
 */
export function codeAgent({ options, ports }: ToolHost, code: CodeAgentOptions): AgentRuntime {
  const runProgram = ports.sandbox?.runProgram;
  if (runProgram === undefined) {
    throw new ConfigurationError(
      "PORT_MISSING",
      `The tool "${code.name}" runs code that a model writes, and this agent has no sandbox for it. Use Agent of @bailiwick/agent, or give the sandbox of @bailiwick/security.`,
    );
  }
  const { name, tools, maxSteps, ...limits } = code;
  const names = (): readonly string[] => tools.map((tool) => tool.name);
  const { hooks } = options;
  const run = codeRunner(runProgram, { names, maxSteps, hasher: options.hasher ?? defaultHasher(), limits });
  return createRuntime(
    "program",
    {
      ...kept(options),
      name,
      model: codeModel(name, run),
      tools: tools.map(forCode),
      maxTurns: maxSteps + 1,
      loopDetection: false,
      prices: { [`bailiwick/${name}`]: { input: 0, output: 0 } },
      flow: withoutGrants(options.flow),
      hooks: hooks && { onToolCall: hooks.onToolCall },
    },
    ports,
  );
}

/** Settings of the agent that hold for the calls of its programs too. */
function kept(options: AgentOptions): Partial<AgentOptions> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => programOptions.includes(name)));
}

/**
 * Each program would count the uses of a grant from zero, so programs get no grants, and no grants are planned from their
 * text. A call that needs a grant asks a person.
 */
function withoutGrants(flow: FlowMode | FlowOptions | undefined): FlowOptions {
  return { ...asFlow(flow), grants: [], planner: false };
}

/** A program reads results as whole JSON values, which a tool's own `toModelOutput` may shape. */
function forCode(tool: Tool): Tool {
  const { toModelOutput } = tool;
  if (registrationOf(tool).source.kind === "skill" && toModelOutput === undefined) return forPrograms(tool, undefined);
  return forPrograms(tool, (output, input) => {
    const shown = toModelOutput === undefined ? output : toModelOutput(output, input);
    // A promise is refused where the result is made.
    return isThenable(shown) ? (shown as never) : (JSON.stringify(shown) ?? "null");
  });
}
