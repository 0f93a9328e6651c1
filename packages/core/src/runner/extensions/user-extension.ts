import { decideOrEnd, decide } from "../hooks/hooks-runner.ts";
import type { GateVerdict, InsertedText, ResultVerdict } from "../../contracts/extension.ts";
import type { Message } from "../../contracts/message.ts";
import { textOfContent, withText } from "../../tools/content-text.ts";
import { frozenCopy, ownAnswer, ownCopy } from "../../user-code/copies.ts";
import { expected, isObjectOrNothing, reasonOf } from "../hooks/hook-failures.ts";
import {
  extensionContext,
  type ActiveExtension,
  type Part,
  type PartVerdict,
  type Refusal,
  type ReviewVerdict,
} from "../part.ts";
import { areReadable, unchanged } from "./loop-hooks.ts";
import type { Run } from "../run.ts";

/** Programs of compositions and of code mode are not models: the points around a model do not apply to them. */
const isProgram = ({ agent }: Run): boolean => agent.model.provider === "bailiwick";

export function extensionPart(active: ActiveExtension): Part<Run> {
  const { name, gate, result, beforeModel, afterTurn, beforeEnd } = active.extension;
  return {
    name,
    gate: gate && gateWith(active),
    review: result && reviewWith(active),
    beforeModel:
      beforeModel &&
      (async (run, _turn, messages) => (isProgram(run) ? messages : changedMessages(run, active, messages))),
    afterTurn:
      afterTurn &&
      (async (run, { answered }) =>
        !answered && !isProgram(run) && (await isStopped(run, active)) ? { reason: "stopped_by_hook" } : undefined),
    beforeEnd: beforeEnd && (async (run, text) => !isProgram(run) && (await isContinued(run, active, text))),
  };
}

function gateWith(active: ActiveExtension): NonNullable<Part<Run>["gate"]> {
  const { extension } = active;
  const { name } = extension;
  const hook = `extension ${name}`;
  return async (call): Promise<PartVerdict> => {
    const { run, toolCallId, toolName, tool } = call;
    const refuse = (why: string): { readonly refuse: Refusal } => ({
      refuse: { message: `The call of "${toolName}" did not run: ${why}.`, code: "EXTENSION_REFUSED" },
    });
    const sideEffectClass = tool?.__sideEffectClass ?? "external-stateful";
    const answer = await decide<GateVerdict | void>(
      run,
      hook,
      () =>
        extension.gate?.(
          {
            toolCallId,
            toolName,
            args: ownCopy(call.args),
            sideEffectClass,
            ...(tool?.__isContained === true && { contained: true as const }),
          },
          extensionContext(active, run),
        ),
      (given) => readGate(hook, given),
    );
    if (!answer.ok) return refuse(`the extension "${name}" failed (${reasonOf(call, answer.error)})`);
    const verdict = answer.value;
    if (verdict === undefined) return undefined;
    if ("refuse" in verdict) return refuse(`the extension "${name}" refused it (${verdict.refuse})`);
    return "ask" in verdict ? { ask: verdict.ask } : { change: verdict.args, by: `the extension "${name}"` };
  };
}

function readGate(hook: string, given: GateVerdict | void): GateVerdict | undefined {
  const verdict: Partial<Record<"refuse" | "ask" | "args", unknown>> | undefined | null = ownAnswer(
    given as GateVerdict | undefined,
  );
  if (verdict === undefined || verdict === null) return undefined;
  const holds =
    typeof verdict === "object" &&
    (typeof verdict.refuse === "string" || typeof verdict.ask === "string" || "args" in verdict);
  return expected(hook, "{ refuse }, { ask }, { args } or nothing", holds, verdict as GateVerdict);
}

function reviewWith(active: ActiveExtension): NonNullable<Part<Run>["review"]> {
  const { extension } = active;
  const { name } = extension;
  const hook = `extension ${name}`;
  return async ({ call, content, failure }): Promise<ReviewVerdict> => {
    const { run, toolCallId, toolName } = call;
    const withhold = (why: string): { readonly refuse: Refusal } => ({
      refuse: { message: `The result of "${toolName}" is withheld: ${why}.`, code: "EXTENSION_REFUSED" },
    });
    const shown = { toolCallId, toolName, args: ownCopy(call.args), text: textOfContent(content) };
    const answer = await decide<ResultVerdict | void>(
      run,
      hook,
      () => extension.result?.({ ...shown, isError: failure !== undefined }, extensionContext(active, run)),
      (given) => readResult(hook, given),
    );
    if (!answer.ok) return withhold(`the extension "${name}" failed (${reasonOf(call, answer.error)})`);
    const verdict = answer.value;
    if (verdict === undefined) return undefined;
    if ("withhold" in verdict) return withhold(`the extension "${name}" withheld it (${verdict.withhold})`);
    return {
      content: withText(content, verdict.replaceResult),
      finding: verdict.integrity === "kept" ? undefined : `replaced-by-extension:${name}`,
      by: `the extension "${name}"`,
    };
  };
}

function readResult(hook: string, given: ResultVerdict | void): ResultVerdict | undefined {
  const verdict: Partial<Record<"replaceResult" | "withhold", unknown>> | undefined | null = ownAnswer(
    given as ResultVerdict | undefined,
  );
  if (verdict === undefined || verdict === null) return undefined;
  const holds =
    typeof verdict === "object" && (typeof verdict.replaceResult === "string" || typeof verdict.withhold === "string");
  return expected(hook, "{ replaceResult }, { withhold } or nothing", holds, verdict as ResultVerdict);
}

type Shape<T> = { readonly point: string; readonly shape: string; readonly holds: (answer: T) => boolean };

/** Calls an extension at a point outside of calls. An invalid answer ends the run, like an error. */
async function ask<T extends object>(
  run: Run,
  { extension }: ActiveExtension,
  { point, shape, holds }: Shape<T>,
  call: () => T | void | undefined | Promise<T | void>,
): Promise<T | undefined> {
  const hook = `extension ${extension.name}`;
  const verdict = await decideOrEnd<T | void>(run, hook, call, (given) => {
    const answer = ownAnswer(given);
    if (answer === undefined || answer === null) return undefined;
    const isShaped = isObjectOrNothing(answer) && holds(answer);
    return expected(`${point} of ${hook}`, `${shape} or nothing`, isShaped, answer);
  });
  return verdict ?? undefined;
}

const isText = (given: unknown): boolean => typeof (given as InsertedText | undefined)?.text === "string";
const isList = (given: unknown, holds: (item: unknown) => boolean): boolean =>
  given === undefined || (Array.isArray(given) && given.every(holds));

async function changedMessages(
  run: Run,
  active: ActiveExtension,
  messages: readonly Message[],
): Promise<readonly Message[]> {
  const answer = await ask<{ readonly messages?: readonly Message[]; readonly insert?: readonly InsertedText[] }>(
    run,
    active,
    {
      point: "beforeModel",
      shape: "{ messages, insert: [{ text }] }",
      holds: (made) =>
        areReadable(`beforeModel of extension ${active.extension.name}`, made.messages) && isList(made.insert, isText),
    },
    () => active.extension.beforeModel?.({ messages: ownCopy(messages) }, extensionContext(active, run)),
  );
  if (answer === undefined) return messages;
  const edited = answer.messages == null ? messages : withEdits(messages, answer.messages);
  return [...edited, ...(answer.insert ?? []).map((text) => insertText(run, text))];
}

/** Messages with an extension's changes, matched by id. A message that it adds or leaves out is ignored. */
function withEdits(before: readonly Message[], given: readonly Message[]): readonly Message[] {
  const byId = new Map(given.map((message) => [message.id, message] as const));
  return before.map((message) => {
    const changed = byId.get(message.id);
    return changed === undefined || changed.role !== message.role ? message : unchanged(message, changed);
  });
}

/** Journals a text as a message of the conversation: untrusted unless the extension declares it verified. */
function insertText(run: Run, { text, integrity }: InsertedText): Message {
  const message: Message = {
    id: run.ids.next("message"),
    role: "user",
    content: [{ type: "text", text, ...(integrity !== "verified" && { untrusted: true }) }],
    timestamp: run.clock.now(),
  };
  run.journal.record({ type: "message.inserted", by: integrity === "verified" ? "hook" : "extension", message });
  return message;
}

async function isStopped(run: Run, active: ActiveExtension): Promise<boolean> {
  const answer = await ask<{ readonly stop: string }>(
    run,
    active,
    { point: "afterTurn", shape: "{ stop }", holds: ({ stop }) => typeof stop === "string" },
    () => active.extension.afterTurn?.({ usage: frozenCopy(run.journal.state.usage) }, extensionContext(active, run)),
  );
  if (answer === undefined) return false;
  const { name } = active.extension;
  const message = `The extension "${name}" stopped the run: ${answer.stop}`;
  run.warn({ code: "stopped_by_extension", message, subject: name });
  return true;
}

async function isContinued(run: Run, active: ActiveExtension, text: string): Promise<boolean> {
  const answer = await ask<{ readonly continueWith: InsertedText }>(
    run,
    active,
    { point: "beforeEnd", shape: "{ continueWith: { text } }", holds: (made) => isText(made.continueWith) },
    () => active.extension.beforeEnd?.({ text }, extensionContext(active, run)),
  );
  if (answer === undefined) return false;
  insertText(run, answer.continueWith);
  return true;
}
