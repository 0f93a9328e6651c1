import { Agent, memoryStore } from "@bailiwick/agent";
import type { RunOutput } from "@bailiwick/agent";
import { scriptedModel } from "@bailiwick/testing";
import { keepingLogger } from "./agents.test.helper.ts";
import type { McpServerTools } from "./index.ts";

/** The call of another run that the server has executed, and answers after the fault. */
export const others: readonly ["held_read", "held_write"] = ["held_read", "held_write"];

/** Runs an agent that calls one tool of the server. */
export const runOf = (
  server: McpServerTools,
  name: string,
  args: Readonly<Record<string, unknown>>,
  options: { readonly toolTimeoutMs?: number; readonly signal?: AbortSignal } = {},
): Promise<RunOutput> => {
  const { signal, ...rest } = options;
  const model = scriptedModel([{ toolCalls: [{ name, arguments: args }] }, "Done."]);
  const agent = new Agent({
    name: "agent",
    model,
    flow: "off",
    logger: keepingLogger(),
    store: memoryStore(),
    mcp: [server],
    ...rest,
  });
  return agent.run("go", { ...(signal !== undefined && { signal }) });
};

/** The report of a run: its answer, and the outcome of each call. */
export const reported = ({ status, text, toolCalls, warnings }: RunOutput): string =>
  JSON.stringify([status, text, warnings, toolCalls.map(({ output, isError, error }) => ({ output, isError, error }))]);
