import type { ContentPart } from "../../contracts/content-part.ts";
import type { Message, UserMessage } from "../../contracts/message.ts";
import type { InboundSanitizationPolicy } from "../../contracts/vocabularies.ts";
import { untrustedSanitization } from "../../registry/default-sanitization.ts";
import { callerOf } from "../caller/caller.ts";
import type { DrivenRun } from "../driven-run.ts";

/** Messages for the model, by the message that they are made of: the same one each turn, so that caches hold. */
const framed = new WeakMap<UserMessage, UserMessage>();

/**
 * [sanitize.by-label] Cleans the parts of user messages that are marked untrusted, and frames those that other people or the
 * nodes of a composition wrote. The words of a calling model stay without a frame: they are what this agent is asked.
 *
 * @param messages - Messages of the journal.
 */
export async function framedParts(run: DrivenRun, messages: readonly Message[]): Promise<readonly Message[]> {
  if (run.definition.role !== "agent" || !messages.some(isMarked)) return messages;
  return Promise.all(messages.map(async (message) => (isMarked(message) ? frame(run, message) : message)));
}

function isMarked(message: Message): message is UserMessage {
  return (
    message.role === "user" &&
    typeof message.content !== "string" &&
    message.content.some((part) => part.untrusted === true)
  );
}

async function frame(run: DrivenRun, message: UserMessage): Promise<UserMessage> {
  const { sanitizer } = run.definition;
  const known = framed.get(message);
  if (known !== undefined || sanitizer === undefined || typeof message.content === "string") return known ?? message;
  const own = run.journal.state.messages.slice(run.journal.state.firstOwnMessage).some(({ id }) => id === message.id);
  const content = await Promise.all(
    message.content.map(async (part): Promise<ContentPart> => {
      if (part.untrusted !== true || part.type !== "text") return part;
      const { policy, toolName } = treatment(run, part, own);
      const { content: treated } = await sanitizer.inbound(part.text, { policy, toolName, nonce: run.nonce });
      return { ...part, text: treated as string };
    }),
  );
  const made = { ...message, content };
  framed.set(message, made);
  return made;
}

function treatment(
  run: DrivenRun,
  part: ContentPart,
  own: boolean,
): { readonly policy: InboundSanitizationPolicy; readonly toolName: string } {
  const caller = callerOf(run.options.parent);
  if (caller === undefined || !own) return { policy: untrustedSanitization, toolName: "message" };
  const passedOn = caller.isPassedOn(part) && caller.label?.assumed !== true;
  return { policy: passedOn ? untrustedSanitization : "detect-and-strip", toolName: caller.agentName };
}
