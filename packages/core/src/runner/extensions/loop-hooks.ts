import { decideOrEnd, decide, observe } from "../hooks/hooks-runner.ts";
import type { LoopHooks } from "../../contracts/hooks.ts";
import type { Message } from "../../contracts/message.ts";
import { messageProblem } from "../../history/message-problem.ts";
import { isSameJson } from "../../json/canonical-json.ts";
import { textOfContent, withText } from "../../tools/content-text.ts";
import { frozenCopy, ownAnswer, ownCopy } from "../../user-code/copies.ts";
import { expected, isObjectOrNothing, reasonOf } from "../hooks/hook-failures.ts";
import type { Part } from "../part.ts";
import type { Run } from "../run.ts";

export function loopHooksPart(hooks: LoopHooks): Part<Run> {
  const { beforeLLMCall, afterLLMCall, beforeToolExec, afterToolExec, onRoundtripComplete } = hooks;
  return {
    name: "loopHooks",
    moments: ["made"],
    gate: beforeToolExec && gateWith(beforeToolExec),
    review: afterToolExec && reviewWith(afterToolExec),
    beforeModel: beforeLLMCall && ((run, turn, messages) => changedMessages(run, turn, messages, beforeLLMCall)),
    afterTurn:
      onRoundtripComplete &&
      (async (run) => ((await isStopped(run, onRoundtripComplete)) ? { reason: "stopped_by_hook" } : undefined)),
    onAnswer:
      afterLLMCall &&
      ((run, { finishReason, usage }, turn) =>
        observe(run, "afterLLMCall", () => afterLLMCall(frozenCopy({ finishReason, usage }), turn))),
  };
}

function gateWith(hook: NonNullable<LoopHooks["beforeToolExec"]>): NonNullable<Part<Run>["gate"]> {
  return async (call) => {
    const verdict = await decide(
      call.run,
      "beforeToolExec",
      () => hook(call.toolName, ownCopy(call.args), call.tool?.__isWriter !== false),
      (answer) =>
        expected(
          "beforeToolExec",
          "{ skip, result }, { args } or nothing",
          isObjectOrNothing(answer),
          ownAnswer(answer),
        ),
    );
    if (!verdict.ok) {
      const reason = reasonOf(call, verdict.error);
      const message = `The call of "${call.toolName}" was refused: the beforeToolExec hook failed (${reason}).`;
      return { refuse: { message, code: "HOOK_FAILED" } };
    }
    const answer = verdict.value;
    if (!answer) return undefined;
    if (answer.skip === true) return { skip: answer.result ?? "" };
    return answer.args === undefined ? undefined : { replace: answer.args, by: "the beforeToolExec hook" };
  };
}

function reviewWith(hook: NonNullable<LoopHooks["afterToolExec"]>): NonNullable<Part<Run>["review"]> {
  return async ({ call, content }) => {
    const isText = (answer: unknown): boolean => answer === undefined || answer === null || typeof answer === "string";
    const answer = await decide(
      call.run,
      "afterToolExec",
      () => hook(call.toolName, textOfContent(content)),
      (given) => expected("afterToolExec", "a text or nothing", isText(given), given),
    );
    if (!answer.ok) {
      const reason = reasonOf(call, answer.error);
      const message = `The result of "${call.toolName}" is withheld: the afterToolExec hook failed (${reason}).`;
      return { refuse: { message, code: "HOOK_FAILED" } };
    }
    if (typeof answer.value !== "string") return undefined;
    return { content: withText(content, answer.value), by: "the afterToolExec hook" };
  };
}

async function changedMessages(
  run: Run,
  turn: number,
  messages: readonly Message[],
  hook: NonNullable<LoopHooks["beforeLLMCall"]>,
): Promise<readonly Message[]> {
  const answer = await decideOrEnd(
    run,
    "beforeLLMCall",
    () => hook(ownCopy(messages), turn),
    (given) => {
      const answer = ownCopy(given);
      return expected("beforeLLMCall", "a list of messages or nothing", areReadable("beforeLLMCall", answer), answer);
    },
  );
  if (answer === undefined || answer === null) return messages;
  const known = new Map(messages.map((message) => [message.id, message] as const));
  const changed = answer.map((message) => unchanged(known.get(message.id), message));
  for (const message of changed) {
    if (message.id !== undefined && known.has(message.id)) continue;
    run.journal.record({
      type: "message.inserted",
      by: "hook",
      message: { ...message, id: message.id ?? run.ids.next("message") },
    });
  }
  return changed;
}

/**
 * True if a hook returned a list of messages, or nothing. A new message may lack an id.
 *
 * @throws TypeError with the place of a value that no model can read.
 */
export function areReadable(hook: string, given: unknown): boolean {
  if (given === undefined || given === null) return true;
  if (!Array.isArray(given)) return false;
  for (const [index, message] of (given as readonly Message[]).entries()) {
    const problem = messageProblem({ ...message, id: message?.id ?? "new" });
    if (problem !== undefined)
      throw new TypeError(`"${hook}" returned a message that no model can read: messages[${index}]${problem}.`);
  }
  return true;
}

/** The run's own message, if the hook returned an equal copy: its compiled form is reused. */
export function unchanged(before: Message | undefined, given: Message): Message {
  return before !== undefined && isSameJson(before, given) ? before : given;
}

/** Calls `onRoundtripComplete`. If the hook fails, the run ends as denied. */
async function isStopped(run: Run, hook: NonNullable<LoopHooks["onRoundtripComplete"]>): Promise<boolean> {
  const { turn, usage } = run.journal.state;
  const answer = await decideOrEnd(
    run,
    "onRoundtripComplete",
    () => hook(turn, ownCopy(usage)),
    (answer) => expected("onRoundtripComplete", "{ stop } or nothing", isObjectOrNothing(answer), ownAnswer(answer)),
  );
  return answer?.stop === true;
}
