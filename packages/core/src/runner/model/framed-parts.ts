import type { ContentPart } from "../../contracts/content-part.ts";
import type { AssistantMessage, Message, UserMessage } from "../../contracts/message.ts";
import type { InboundSanitizationPolicy } from "../../contracts/vocabularies.ts";
import { isVouchedFor } from "../../history/unknown-origins.ts";
import { unknownModel } from "../../history/from-chat-message.ts";
import { lazyPart } from "../../loading/lazy-part.ts";
import { untrustedSanitization } from "../../registry/default-sanitization.ts";
import { callerOf } from "../caller/caller.ts";
import type { Run } from "../run.ts";

const cleaning = lazyPart("The cleaning of earlier answers", () => import("./clean-answer.ts"));

/** Messages for the model, by their original message: the same object each turn, so that caches are hit. */
const framed = new WeakMap<UserMessage, UserMessage>();
const cleaned = new WeakMap<AssistantMessage, AssistantMessage>();

/**
 * Sanitizes the parts of user messages that are marked untrusted, and frames those of other people or of nodes of a
 * composition. The input from a calling model is not framed, because it is this agent's task. Cleans the answers of
 * earlier runs and of an agent that handed over, if the run starts under an untrusted label [sanitize.by-label].
 *
 * @param messages - Messages of the journal.
 */
export function framedParts(run: Run, messages: readonly Message[]): readonly Message[] | Promise<readonly Message[]> {
  if (run.agent.role !== "agent") return messages;
  const earlier = earlierAnswers(run);
  if (!holdsTreated(messages, earlier)) return messages;
  return Promise.all(
    messages.map(async (message) => {
      if (isMarked(message)) return frame(run, message);
      return message.role === "assistant" && earlier.has(message.id) ? cleanedAnswer(run, message) : message;
    }),
  );
}

/** Without a closure for each message, because it looks through the whole conversation in each turn. */
function holdsTreated(messages: readonly Message[], earlier: ReadonlySet<string>): boolean {
  const hasEarlier = earlier.size > 0;
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index] as Message;
    if (message.role === "user" ? isMarked(message) : hasEarlier && earlier.has(message.id)) return true;
  }
  return false;
}

const none: ReadonlySet<string> = new Set();

/** Ids of the answers that others may have influenced before the run began. */
function earlierAnswers({ agent, journal }: Run): ReadonlySet<string> {
  const { start } = journal.state;
  if (start === undefined || agent.sanitizer === undefined) return none;
  const label = start.labels?.find(({ id }) => id === start.label);
  if ((label?.integrity ?? start.label) !== "untrusted" || label?.assumed === true) return none;
  // A conversation that was handed over also has answers after the input.
  return new Set(start.history.flatMap(({ id, role }) => (role === "assistant" ? [id] : [])));
}

/** A model's answer as another run may read it: cleaned, unless the caller marked each of its texts as trusted. */
export async function cleanedAnswer({ agent, nonce }: Run, message: AssistantMessage): Promise<AssistantMessage> {
  const { sanitizer } = agent;
  const known = cleaned.get(message);
  if (known !== undefined || sanitizer === undefined || isVouchedFor(message)) return known ?? message;
  const how = { policy: "detect-and-strip", toolName: "message", nonce } as const;
  const made = await cleaning(({ cleanAnswer }) =>
    cleanAnswer(message, unknownModel, async (text) => (await sanitizer.inbound(text, how)).content as string),
  );
  cleaned.set(message, made);
  return made;
}

function isMarked(message: Message): message is UserMessage {
  return (
    message.role === "user" &&
    typeof message.content !== "string" &&
    message.content.some((part) => part.untrusted === true)
  );
}

async function frame(run: Run, message: UserMessage): Promise<UserMessage> {
  const { sanitizer } = run.agent;
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
  run: Run,
  part: ContentPart,
  own: boolean,
): { readonly policy: InboundSanitizationPolicy; readonly toolName: string } {
  const caller = callerOf(run.options.parent);
  if (caller === undefined || !own) return { policy: untrustedSanitization, toolName: "message" };
  const passedOn = caller.isPassedOn(part) && caller.label?.assumed !== true;
  return { policy: passedOn ? untrustedSanitization : "detect-and-strip", toolName: caller.agentName };
}
