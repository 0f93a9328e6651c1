import type { Extension, InsertedText } from "../../contracts/extension.ts";
import type { Message } from "../../contracts/message.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import { frozenCopy, ownCopy } from "../../user-code/copies.ts";
import type { DrivenRun } from "../driven-run.ts";
import { deniedByHook } from "./denied-by-hook.ts";
import { decide, expected, isObjectOrNothing } from "./hooks-runner.ts";
import { extensionContext, type ActiveExtension } from "../extensions/active-extension.ts";

type BeforeModelAnswer = { readonly messages?: readonly Message[]; readonly insert?: readonly InsertedText[] };

/** Programs of compositions and of code mode are no models: extensions for models do not apply to them. */
const isProgram = ({ definition }: DrivenRun): boolean => definition.model.provider === "bailiwick";

function askable(run: DrivenRun, point: keyof Extension): readonly ActiveExtension[] {
  const { extensions } = run;
  if (extensions.length === 0 || isProgram(run)) return [];
  return extensions.filter(({ extension }) => extension[point] !== undefined);
}

/** Asks an extension at one of its points. An answer of another shape ends the run, like a throw. */
async function ask<T extends object>(
  run: DrivenRun,
  { extension }: ActiveExtension,
  { point, shape, holds }: { readonly point: string; readonly shape: string; readonly holds: (answer: T) => boolean },
  call: () => T | void | undefined | Promise<T | void>,
): Promise<T | undefined> {
  const hook = `extension ${extension.name}`;
  const verdict = await decide<T | void>(run, hook, call, (given) => {
    const answer = ownCopy(given);
    if (answer === undefined || answer === null) return undefined;
    return expected(`${point} of ${hook}`, `${shape} or nothing`, isObjectOrNothing(answer) && holds(answer), answer);
  });
  if (!verdict.ok) throw deniedByHook(run, verdict.failure);
  return verdict.value ?? undefined;
}

const isText = (given: unknown): boolean => typeof (given as InsertedText | undefined)?.text === "string";
const isList = (given: unknown, holds: (item: unknown) => boolean): boolean =>
  given === undefined || (Array.isArray(given) && given.every(holds));

/** Lets extensions change the messages of a request, and add texts to the conversation. */
export async function extendMessages(run: DrivenRun, given: readonly Message[]): Promise<readonly Message[]> {
  let messages = given;
  for (const active of askable(run, "beforeModel")) {
    const shown = messages;
    const answer = await ask<BeforeModelAnswer>(
      run,
      active,
      {
        point: "beforeModel",
        shape: "{ messages, insert: [{ text }] }",
        holds: (made) =>
          isList(made.messages, (one) => isObjectOrNothing(one) && one != null) && isList(made.insert, isText),
      },
      () => active.extension.beforeModel?.({ messages: ownCopy(shown) }, extensionContext(active, run)),
    );
    if (answer === undefined) continue;
    if (answer.messages !== undefined) messages = edited(messages, answer.messages);
    for (const text of answer.insert ?? []) messages = [...messages, insertText(run, text)];
  }
  return messages;
}

/** Messages with an extension's changes, matched by id. A message that it adds or leaves out is ignored. */
function edited(before: readonly Message[], given: readonly Message[]): readonly Message[] {
  const byId = new Map(given.map((message) => [message.id, message] as const));
  return before.map((message) => {
    const changed = byId.get(message.id);
    if (changed === undefined || changed.role !== message.role) return message;
    return canonicalJson(changed) === canonicalJson(message) ? message : changed;
  });
}

/** Journals a text as a message of the conversation: untrusted unless the extension declares it verified. */
function insertText(run: DrivenRun, { text, integrity }: InsertedText): Message {
  const message: Message = {
    id: run.ids.next("message"),
    role: "user",
    content: [{ type: "text", text, ...(integrity !== "verified" && { untrusted: true }) }],
    timestamp: run.clock.now(),
  };
  run.journal.record({ type: "message.inserted", by: integrity === "verified" ? "hook" : "extension", message });
  return message;
}

/** Asks extensions after a turn. @returns true when one stops the run. */
export async function stoppedByExtension(run: DrivenRun): Promise<boolean> {
  for (const active of askable(run, "afterTurn")) {
    const answer = await ask<{ readonly stop: string }>(
      run,
      active,
      { point: "afterTurn", shape: "{ stop }", holds: ({ stop }) => typeof stop === "string" },
      () => active.extension.afterTurn?.({ usage: frozenCopy(run.journal.state.usage) }, extensionContext(active, run)),
    );
    if (answer === undefined) continue;
    const { name } = active.extension;
    run.warn({
      code: "stopped_by_extension",
      message: `The extension "${name}" stopped the run: ${answer.stop}`,
      subject: name,
    });
    return true;
  }
  return false;
}

/** Asks extensions before the end. @returns true when one has the model asked again. */
export async function continuedByExtension(run: DrivenRun, text: string): Promise<boolean> {
  for (const active of askable(run, "beforeEnd")) {
    const answer = await ask<{ readonly continueWith: InsertedText }>(
      run,
      active,
      { point: "beforeEnd", shape: "{ continueWith: { text } }", holds: (made) => isText(made.continueWith) },
      () => active.extension.beforeEnd?.({ text }, extensionContext(active, run)),
    );
    if (answer === undefined) continue;
    insertText(run, answer.continueWith);
    return true;
  }
  return false;
}
