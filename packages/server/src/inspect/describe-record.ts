import type { Decision, InterruptionData, JournalEvent, JournalEventOf, Message } from "@bailiwick/core";
import { questionText } from "@bailiwick/core/questions";

/** A record in words. */
export interface RecordWords {
  /** A title that describes the event. */
  readonly title: string;
  /** The most important details, cut to some lines; the journal has all of them. */
  readonly detail?: string | undefined;
  /** The colour of the line: `good` for success, `waiting` for a question, `bad` for a failure. */
  readonly tone: "plain" | "good" | "waiting" | "bad";
  /** Tokens of the model call. */
  readonly tokens?: number | undefined;
  /** In US dollars; absent when a price is unknown. */
  readonly costUsd?: number | undefined;
  /** Duration in milliseconds. */
  readonly durationMs?: number | undefined;
}

/** Maximum length of a detail, in characters. */
const mostDetail = 600;

function outcome(event: Extract<JournalEvent, { readonly type: "tool.outcome" }>): RecordWords {
  const { toolName, failure, output, durationMs, cached, deduplicated, simulated } = event;
  if (failure !== undefined)
    return { title: `${toolName} failed: ${failure.kind}`, detail: cut(failure.message), tone: "bad", durationMs };
  let how = "";
  if (cached === true) how = ", from the cache";
  else if (deduplicated === true) how = ", done before";
  else if (simulated === true) how = ", simulated";
  return { title: `${toolName} returned${how}`, detail: json(output), tone: "good", durationMs };
}

/** Describes a record in words. Records of unknown types are named by their type. */
export function describeRecord(event: JournalEvent): RecordWords {
  switch (event.type) {
    case "run.start":
      return plain(`${event.agentName} began`, event.input.map(messageText).join("\n"));
    case "run.resumed":
      return plain("Another process resumed the run", event.owner);
    case "run.definition_changed":
      return { ...plain("The code of the agent changed", event.tools.join(", ")), tone: "waiting" };
    case "model.intent":
      return plain(`Asked ${event.modelProvider}/${event.model}${purposeOf(event)}`, attemptOf(event.attempt));
    case "model.result":
      return modelResult(event);
    case "tool.call":
      return plain(`Call of ${event.toolName}`, json(event.args));
    case "tool.approval.requested":
    case "input.requested":
      return asked(event.interruption);
    case "tool.approval.decided":
      return decided(event.toolName, event.decision, event.via);
    case "tool.intent":
      return plain(
        `${event.toolName} takes effect (${event.sideEffectClass})`,
        [attemptOf(event.attempt), event.idempotencyKey === undefined ? "" : `key ${event.idempotencyKey}`]
          .filter((text) => text !== "")
          .join(", "),
      );
    case "tool.outcome":
      return outcome(event);
    case "tool.result":
      return {
        title: `The model reads the result of ${event.result.toolName}`,
        detail: cut(messageText(event.message)),
        tone: event.result.isError ? "bad" : "plain",
      };
    case "flow.decided": {
      const tones = { allow: "plain", ask: "waiting", deny: "bad" } as const;
      const words = { allow: "allows", ask: "asks a person about", deny: "stops" } as const;
      return {
        title: `The flow policy ${words[event.verdict]} ${event.toolName}${event.shadow === true ? " (recorded only)" : ""}`,
        detail: cut(event.explanation),
        tone: event.shadow === true ? "plain" : tones[event.verdict],
      };
    }
    case "flow.grants":
      return plain(...describeGrants(event));
    case "flow.extract":
      return plain(
        "A value is read without showing its text to the model",
        `at most ${event.bits} bits of ${event.ref}`,
      );
    case "flow.lowered":
      return plain(
        `Trusted by endorsement: ${event.toolName}`,
        `${event.integrity.before} becomes ${event.integrity.after}: ${event.reason}`,
      );
    case "input.answered":
      if (event.failed !== undefined)
        return { title: "The client's tool failed", detail: cut(event.failed), tone: "bad" };
      return {
        title: event.by === "client" ? "The client ran the tool" : "A person answered",
        detail: json(event.value),
        tone: "good",
      };
    case "sleep.begun":
      return {
        title: `${event.toolName} sleeps until ${new Date(event.wakeAt).toISOString()}`,
        ...(event.keyHeldBy !== undefined && { detail: `Run ${event.keyHeldBy} holds its idempotency key` }),
        tone: "waiting",
      };
    case "sleep.ended":
      return plain("The sleep is over");
    case "child.suspended":
      return {
        title: `The agent in ${event.toolName} waits`,
        detail: cut(event.interruptions.map(({ question }) => question.title).join("\n")),
        tone: "waiting",
      };
    case "child.decided":
      return decided("the agent inside", event.decision, event.via);
    case "model.started":
      return plain("The vendor writes the answer in the background", event.responseId);
    case "model.decided":
      return decided("the model call", event.decision, event.via);
    case "signal.taken":
      return plain(`Signal ${event.signal.name} arrived`);
    case "signal.dropped":
      return { title: "A decision that fitted no question was dropped", detail: cut(event.message), tone: "bad" };
    case "message.inserted":
      return plain(`A message was inserted (${event.by.replaceAll("_", " ")})`, messageText(event.message));
    case "catalogue.promoted":
      return plain("Tools were offered to the model", event.toolNames.join(", "));
    case "state.changed":
      return plain(`The session's ${event.stateKey} changed`, json(event.value));
    case "state.conflict":
      return {
        title: `The session's ${event.stateKey} replaced a newer value of another run`,
        detail: json(event.newer),
        tone: "bad",
      };
    case "state.saved":
      return plain("The session's state was saved", event.stateKeys.join(", "));
    case "handoff.transfer":
      return plain(`${event.fromAgent} hands over to ${event.toAgent}`, event.reason);
    case "guardrail.decided":
      return {
        ...plain(`Guardrail ${event.name} (${event.kind})`, event.verdict.pass ? undefined : event.verdict.reason),
        tone: event.verdict.pass ? "plain" : "bad",
      };
    case "hook.failed":
      return { title: `${event.hook} failed`, detail: cut(event.error.message), tone: "bad" };
    case "compaction":
      return plain(
        `The conversation was shortened (${event.strategy}, ${event.droppedMessages} messages)`,
        event.summary,
      );
    case "memory.recalled":
      return plain(`Recalled ${event.memories.length} from memory`);
    case "media.fetched":
      return event.problem === undefined
        ? plain(`Downloaded ${event.url}`, event.mimeType)
        : { title: `${event.url} was not downloaded`, detail: cut(event.problem), tone: "bad" };
    case "secret.revealed":
      return plain(`${event.toolName} was given the secret ${event.name}`);
    case "secret.denied":
      return { title: `${event.toolName} was refused the secret ${event.name}`, tone: "bad" };
    case "run.suspended":
      return { title: `The run waits: ${event.reason.replaceAll("_", " ")}`, tone: "waiting" };
    case "run.end":
      return {
        title: `${event.status === "suspended" || event.status === "sleeping" ? "This process released the run" : "The run ended"}: ${event.stopReason.replaceAll("_", " ")}`,
        detail: cut(event.error?.message ?? event.text),
        tone:
          event.status === "completed"
            ? "good"
            : event.status === "suspended" || event.status === "sleeping"
              ? "waiting"
              : "bad",
        durationMs: event.durationMs,
      };
    default:
      return plain((event as { readonly type: string }).type);
  }
}

function modelResult(event: Extract<JournalEvent, { type: "model.result" }>): RecordWords {
  const { message, shownText, usage, costUsd, durationMs, error, finishReason } = event;
  const numbers = { tokens: usage.totalTokens, costUsd, durationMs };
  if (error !== undefined)
    return { title: `The model failed: ${error.code}`, detail: cut(error.message), tone: "bad", ...numbers };
  const calls = message.toolCalls.map(({ name }) => name);
  const title = calls.length > 0 ? `The model calls ${calls.join(", ")}` : `The model answered${purposeOf(event)}`;
  const tone = finishReason === "stop" || finishReason === "tool_calls" ? "plain" : "bad";
  return { title, detail: cut(shownText ?? messageText(message)), tone, ...numbers };
}

function asked(open: InterruptionData): RecordWords {
  const { kind, agentName, toolName, args } = open;
  if (kind === "client_tool")
    return { title: `${agentName} waits for the client to run ${toolName}`, detail: json(args), tone: "waiting" };
  return {
    title: `${agentName} asks a person about ${toolName}`,
    detail: cut([questionText(open), json(args)].join("\n")),
    tone: "waiting",
  };
}

function decided(what: string, decision: Decision, via: string): RecordWords {
  const words = {
    approve: "approved",
    reject: "rejected",
    answer: "answered",
    fail: "answered with a failure",
    it_happened: "settled: it happened",
    it_did_not_happen: "settled: it did not happen",
    give_up: "given up",
  } as const;
  const by = decision.decidedBy === undefined ? "" : ` by ${decision.decidedBy}`;
  const reason = "reason" in decision ? decision.reason : undefined;
  const bad = decision.type === "reject" || decision.type === "give_up";
  return { title: `${what} was ${words[decision.type]}${by} (${via})`, detail: reason, tone: bad ? "bad" : "good" };
}

const purposeOf = ({ purpose }: { readonly purpose?: string | undefined }): string =>
  purpose === undefined || purpose === "turn" ? "" : ` for the ${purpose.replaceAll("_", " ")}`;

const attemptOf = (attempt: number): string => (attempt > 1 ? `attempt ${attempt}` : "");

function plain(title: string, detail?: string): RecordWords {
  return { title, detail: detail === undefined || detail === "" ? undefined : cut(detail), tone: "plain" };
}

function messageText({ content }: Pick<Message, "content">): string {
  if (typeof content === "string") return content;
  return content
    .flatMap((part) => (part.type === "tool_call" ? [] : "text" in part ? [part.text] : [`[${part.type}]`]))
    .join("\n");
}

function json(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return cut(typeof value === "string" ? value : JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > mostDetail ? `${text.slice(0, mostDetail).toWellFormed()}…` : text;
}

/** Grants that were given in advance, or the planner's answer about a tool. */
function describeGrants(event: JournalEventOf<"flow.grants">): readonly [title: string, detail: string | undefined] {
  const { source, grants, mandates, tool = "" } = event;
  if (mandates === undefined)
    return [
      `Allowed in advance by the ${source}: ${grants.length === 0 ? "none" : grants.map((one) => one.tool).join(", ")}`,
      json(grants),
    ];
  const isAsked = mandates.some(({ asked }) => asked);
  return [isAsked ? `The user's words ask for ${tool}` : `The user's words ask for no call of ${tool}`, json(mandates)];
}
