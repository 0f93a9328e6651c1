import type { AgentHooks, NodeHooks } from "../../contracts/hooks.ts";
import { isWaiting } from "../../contracts/stop-reason.ts";
import { frozenCopy } from "../../user-code/copies.ts";
import type { DrivenRun } from "../driven-run.ts";
import { observe } from "../hooks/hooks-runner.ts";
import type { RunPart } from "./run-part.ts";

/** The part that calls the `hooks` of an agent. */
export function agentHooksPart({ beforeRun, afterRun, onToolCall, onError }: AgentHooks): RunPart {
  return {
    name: "hooks",
    ...(beforeRun !== undefined && { onStart: (run) => observe(run, "beforeRun", () => beforeRun(run.context)) }),
    ...(onToolCall !== undefined && {
      onToolCall: ({ run, toolName, input }) =>
        observe(run, "onToolCall", () => onToolCall(run.context, toolName, frozenCopy(input))),
    }),
    ...(afterRun !== undefined && {
      onEnd: async (run, status, output) => {
        if (status === "completed") await observe(run, "afterRun", () => afterRun(run.context, output()));
      },
    }),
    ...(onError !== undefined && {
      onError: (run, error) => observe(run, "onError", () => onError(run.context, error)),
    }),
  };
}

/** The part that calls the `hooks` of a run: those of a node in a composition. */
export function nodeHooksPart({ onNodeStart, onNodeEnd, onNodeError }: NodeHooks): RunPart {
  const nodeOf = ({ runId, definition }: DrivenRun): { readonly nodeId: string; readonly nodeLabel: string } => ({
    nodeId: runId,
    nodeLabel: definition.name,
  });
  return {
    name: "node hooks",
    ...(onNodeStart !== undefined && {
      onStart: (run, input) =>
        observe(run, "onNodeStart", () => onNodeStart({ ...nodeOf(run), input: frozenCopy(input) })),
    }),
    ...(onNodeEnd !== undefined && {
      onEnd: async (run, status, output) => {
        if (isWaiting(status)) return;
        const durationMs = run.activeMs();
        await observe(run, "onNodeEnd", () => onNodeEnd({ ...nodeOf(run), output: output(), durationMs }));
      },
    }),
    ...(onNodeError !== undefined && {
      onError: (run, error) =>
        observe(run, "onNodeError", () => onNodeError({ ...nodeOf(run), error, durationMs: run.activeMs() })),
    }),
  };
}
