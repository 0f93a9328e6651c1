import type { Message, UserMessage } from "../../contracts/message.ts";
import type { RunOutput } from "../../contracts/run-output.ts";
import type { Runnable } from "../../contracts/runnable.ts";
import type { Tool } from "../../contracts/tool.ts";
import type { ToolExecutionContext } from "../../contracts/tool-context.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { ToolError } from "../../errors/tool-error.ts";
import { withSource } from "../../registry/tool-registration.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { expected } from "../hooks/hook-failures.ts";
import { callerOf } from "../caller/caller.ts";
import { nestedRun } from "../tool-call/nested-run.ts";
import { toolReturn } from "../../tools/tool-return.ts";
import type { Handoff } from "../../contracts/handoff.ts";
import { toolNameOf } from "../../tools/tool-name.ts";
import { insideOf, runtimeOf, answerOf, runNode } from "./inside-of.ts";

/**
 * The tools by which a model hands over.
 *
 * @throws ConfigurationError `INVALID_OPTION` for an entry that is neither an agent nor made by `handoff()`.
 */
export function handoffTools(agentName: string, targets: readonly object[]): readonly Tool[] {
  return targets.map((target) => {
    const described = isHandoff(target)
      ? target
      : isRunnable(target)
        ? { name: target.name, agent: target }
        : undefined;
    if (described === undefined) {
      throw new ConfigurationError(
        "INVALID_OPTION",
        `An entry of "handoffs" of agent "${agentName}" is not an agent. Give agents, or handoff(agent, { … }).`,
      );
    }
    return withSource(handoffTool(described), { kind: "built-in", subsystem: "handoff" });
  });
}

function isHandoff(target: object): target is Handoff {
  return isRunnable((target as Partial<Handoff> | null)?.agent);
}

function isRunnable(value: unknown): value is Runnable {
  return (
    typeof value === "object" &&
    value !== null &&
    "run" in value &&
    typeof value.run === "function" &&
    "stream" in value
  );
}

function handoffTool(target: Handoff): Tool {
  const { agent } = target;
  return {
    name: target.toolName ?? `transfer_to_${toolNameOf(agent.name)}`,
    description:
      target.description ??
      `Hands the conversation over to "${agent.name}", who answers from then on.${agent.description === undefined ? "" : ` ${agent.description}`}`,
    inputSchema: {
      type: "object",
      properties: { reason: { type: "string", description: "Why, in one sentence." } },
      additionalProperties: false,
    },
    sideEffectClass: "read-only",
    executionMode: "sequential",
    composition: insideOf("handoff", agent),
    execute: async (args, ctx) => {
      const caller = callerOf(ctx.runOptions.parent);
      const { reason } = args as { readonly reason?: string };
      if (caller?.handOver(agent.name, reason) === false) {
        throw new ToolError(
          `The conversation was handed to another agent in the same turn, so it is not handed to "${agent.name}".`,
          { recoverable: false },
        );
      }
      const output = await takeOver(target, ctx);
      return nestedRun(output, () => toolReturn({ output: answerOf(output), endRun: true }));
    },
  };
}

async function askFilter(
  filter: NonNullable<Handoff["inputFilter"]>,
  shown: readonly Message[],
  agentName: string,
  ctx: ToolExecutionContext,
): Promise<readonly Message[]> {
  const hook = `inputFilter of the handoff to ${agentName}`;
  const isMessage = (message: unknown): boolean => typeof (message as Message | null | undefined)?.role === "string";
  const read = (answer: readonly Message[]): readonly Message[] => {
    const copied = ownCopy(answer);
    return expected(hook, "a list of messages", Array.isArray(copied) && copied.every(isMessage), copied);
  };
  const call = (): ReturnType<typeof filter> => filter(ownCopy(shown));
  const caller = callerOf(ctx.runOptions.parent);
  return caller === undefined ? read(await call()) : caller.ask(hook, call, read);
}

async function takeOver({ agent, history, inputFilter }: Handoff, ctx: ToolExecutionContext): Promise<RunOutput> {
  const caller = callerOf(ctx.runOptions.parent);
  const conversation = caller?.handedConversation(agent.name) ?? ctx.messages;
  const last = conversation.findLastIndex((message) => message.role === "user");
  const shown = history === "last-message" ? conversation.slice(Math.max(0, last), last + 1) : conversation;
  const filtered = inputFilter === undefined ? shown : await askFilter(inputFilter, shown, agent.name, ctx);
  const inputAt = filtered.findLastIndex((message) => message.role === "user");
  const question = filtered[inputAt] as UserMessage | undefined;
  if (question === undefined) throw new ToolError(`There is no user message to hand to "${agent.name}".`);
  // An agent of another framework would read the question twice.
  const messages = runtimeOf(agent) === undefined ? filtered.toSpliced(inputAt, 1) : filtered;
  return runNode(agent, question, ctx, { ...caller?.guardrails, messages });
}
