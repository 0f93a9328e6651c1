import { Agent, memoryStore } from "@bailiwick/agent";
import type { AgentOptions, Logger, RunOutput } from "@bailiwick/agent";
import { scriptedModel } from "@bailiwick/testing";
import type { Script, ScriptStep } from "@bailiwick/testing";
import type { McpServerTools } from "./index.ts";

/** A logger that keeps the messages it receives. */
export function keepingLogger(): Logger & { readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (line: string): void => void lines.push(line);
  return { lines, debug: () => undefined, info: keep, warn: keep, error: keep };
}

/** An agent with servers and a script. */
export function agentWith(
  mcp: readonly McpServerTools[],
  script: Script,
  options: Partial<AgentOptions> = {},
): {
  readonly agent: Agent;
  readonly model: ReturnType<typeof scriptedModel>;
  readonly logger: ReturnType<typeof keepingLogger>;
} {
  const model = scriptedModel(script);
  const logger = keepingLogger();
  const agent = new Agent({ name: "agent", model, logger, store: memoryStore(), mcp, ...options });
  return { agent, model, logger };
}

/** The results that the model got for each call. */
export function resultsOf(output: Pick<RunOutput, "messages">): readonly string[] {
  return output.messages.flatMap((message) =>
    message.role === "tool"
      ? [typeof message.content === "string" ? message.content : JSON.stringify(message.content)]
      : [],
  );
}

/** Waits until a condition is true. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 240_000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`It never came to this: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A script whose steps may run code before the model answers. */
export function acting(...steps: readonly (string | ScriptStep | (() => ScriptStep | Promise<ScriptStep>))[]): Script {
  let next = 0;
  return () => {
    const step = steps[next++] ?? "There is nothing more to say.";
    return typeof step === "function" ? step() : step;
  };
}
