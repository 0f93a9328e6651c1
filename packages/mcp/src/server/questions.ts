import { compileSchema } from "@bailiwick/core/extension";
import { questionText } from "@bailiwick/core/questions";
import type { Decision, Interruption, InterruptionData, JsonSchema } from "@bailiwick/core";
import { CLIENT_CAPABILITIES_META_KEY, inputRequired, inputResponse } from "@modelcontextprotocol/server";
import type { InputRequest, InputRequests, ServerContext } from "@modelcontextprotocol/server";
import { clientAnswer, clientRequestsIn, wireRequest } from "./client-requests.ts";
import type { ClientAnswer } from "./client-requests.ts";
import type { McpCaller } from "./served-agent.ts";

/** Data that a client sends back with its answers; signed, so that a client cannot change it. */
export interface PendingCall {
  readonly runId: string;
  readonly toolName: string;
  /** Ids of the questions that the client was shown; answers count for these alone. */
  readonly asked: readonly string[];
  /** Ids of the suspicious questions that have one yes, and are asked once more. */
  readonly again?: readonly string[] | undefined;
}

type Capability = "elicitation" | "sampling" | "roots";

/** Capabilities of a client that a served call needs. */
export type ClientCapabilities = Readonly<Partial<Record<Capability, object | undefined>>>;

const needed: Readonly<Record<InputRequest["method"], Capability>> = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
};

/** Capabilities that these requests need, and that the client lacks. */
export function missingFor(
  forms: InputRequests,
  ctx: ServerContext,
  declared: ClientCapabilities | undefined,
): readonly Capability[] {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const has = (envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ?? declared;
  return Object.values(forms)
    .map(({ method }) => needed[method])
    .filter((one) => has?.[one] === undefined);
}

/**
 * Keys of questions on the wire: `names` are those of the tool, unique in one answer; `ids` are unique in the life of a
 * run, as a task needs them.
 */
type KeyStyle = "names" | "ids";

/** A question without the text that started the run: for served calls that is text of the server, not of the user. */
function forClient(one: Interruption): InterruptionData {
  return { ...one, question: { ...one.question, request: undefined } };
}

/** How the questions of a run are sent. */
export interface Asking {
  readonly style?: KeyStyle | undefined;
  /** Ids of the suspicious questions that have one yes: they are asked once more, and the second yes counts. */
  readonly again?: readonly string[] | undefined;
  /** True if no question can be asked a second time: the form itself takes both acts. */
  readonly once?: boolean | undefined;
}

/** The questions of a run as forms for the client's user; `undefined` if one of them has no form. */
export function formsFor(
  interruptions: readonly Interruption[],
  { style = "names", again = [], once = style === "ids" }: Asking = {},
): InputRequests | undefined {
  const forms: InputRequests = {};
  for (const [key, one] of keyed(interruptions, style)) {
    if (one.kind === "approval") {
      forms[key] = inputRequired.elicit({
        message: [
          questionText(forClient(one)),
          JSON.stringify(one.args, null, 2),
          ...(again.includes(one.id) ? [secondYes] : []),
        ].join("\n"),
        requestedSchema: {
          type: "object",
          properties: {
            approve: { type: "boolean", title: "Approve", description: "Approve the call, or reject it." },
            ...(isSuspicious(one) && { acknowledged }),
          },
          required: isSuspicious(one) && once ? ["approve", "acknowledged"] : ["approve"],
        },
      });
      continue;
    }
    const schema = one.kind === "question" ? one.answerJsonSchema : undefined;
    const requests = clientRequestsIn(schema);
    if (requests !== undefined) {
      for (const [name, request] of requests) forms[requestKey(one, name, style)] = wireRequest(request);
      continue;
    }
    if (schema === undefined || !isForm(schema)) return undefined;
    forms[key] = inputRequired.elicit({ message: one.question.title, requestedSchema: schema as never });
  }
  return forms;
}

const secondYes = "You approved this call once. Approve it again if you have checked its values.";

/** The second act that the approval of a suspicious call needs. */
const acknowledged = {
  type: "boolean",
  title: "Suspicious: I checked the values",
  description: "An outsider may have written these values. Check them with a person who knows them.",
  default: false,
} as const;

function isSuspicious({ kind, question }: InterruptionData): boolean {
  return kind === "approval" && question.level === "suspicious";
}

/** Decisions of a client's user. */
export interface Answers {
  /** Decisions about the questions that have an answer. */
  readonly decisions: readonly Decision[];
  /** True if the user declined a question, which ends the call. */
  readonly isDeclined: boolean;
  /** Ids of the suspicious questions that got their first yes. */
  readonly again: readonly string[];
}

/**
 * Reads the answers of a client's user. A missing or invalid answer is left out, so that its question is sent again.
 *
 * @param counts - Tests if a question may be answered: an approval counts only from a client that was shown it.
 */
export async function answersTo(
  interruptions: readonly Interruption[],
  responses: Readonly<Record<string, unknown>> | undefined,
  caller: McpCaller,
  counts: (interruption: Interruption) => boolean,
  { style = "names", again = [] }: Asking = {},
): Promise<Answers> {
  const origin = { channel: "mcp", ...(caller.userId !== undefined && { decidedBy: caller.userId }) };
  const decisions: Decision[] = [];
  const first: string[] = [];
  let isDeclined = false;
  for (const [key, one] of keyed(interruptions, style)) {
    const requests = clientRequestsIn(one.answerJsonSchema);
    if (requests !== undefined) {
      const answered = await answersOfClient(requests, responses, (name) => requestKey(one, name, style));
      if (answered === "declined") isDeclined = true;
      else if (answered !== undefined && counts(one)) decisions.push(one.answer(answered, origin));
      continue;
    }
    const answer = inputResponse(responses, key);
    if (answer.kind !== "elicit" || !counts(one)) continue;
    const content = answer.action === "accept" ? answer.content : undefined;
    if (one.kind === "approval") {
      const given = approvalIn(one, content, again);
      if (given === "first") first.push(one.id);
      else decisions.push(given ? one.approve(origin) : one.reject("The client's user did not approve it.", origin));
    } else if (content === undefined) isDeclined = true;
    else if (await fits(one, content)) decisions.push(one.answer(content, origin));
  }
  return { decisions, isDeclined, again: first };
}

/** Reads an approval: a first yes to a suspicious question does not count, a second one or the box of its form does. */
function approvalIn(
  one: Interruption,
  content: Readonly<Record<string, unknown>> | undefined,
  again: readonly string[],
): boolean | "first" {
  if (content?.["approve"] !== true) return false;
  const isSecond = content["acknowledged"] === true || again.includes(one.id);
  return isSuspicious(one) && !isSecond ? "first" : true;
}

/** The available answers to the requests of one question; `undefined` if there are none. */
async function answersOfClient(
  requests: NonNullable<ReturnType<typeof clientRequestsIn>>,
  responses: Readonly<Record<string, unknown>> | undefined,
  keyOf: (name: string) => string,
): Promise<Readonly<Record<string, ClientAnswer>> | "declined" | undefined> {
  const answers: Record<string, ClientAnswer> = {};
  for (const [name, request] of requests) {
    const answer = await clientAnswer(request, responses, keyOf(name));
    if (answer === "declined") return answer;
    if (answer !== undefined) answers[name] = answer;
  }
  return Object.keys(answers).length === 0 ? undefined : answers;
}

async function fits({ answerJsonSchema, toolName }: Interruption, content: unknown): Promise<boolean> {
  if (answerJsonSchema === undefined) return true;
  const { validate } = compileSchema(answerJsonSchema, { what: `The question of tool "${toolName}"` });
  return (await validate(content)).ok;
}

function requestKey({ toolCallId }: Interruption, name: string, style: KeyStyle): string {
  return style === "names" ? name : `${toolCallId}.${name}`;
}

/** Each question with its key on the wire. In a lookup by name, it is the key of `ctx.ask`, or a number. */
function keyed(interruptions: readonly Interruption[], style: KeyStyle): readonly (readonly [string, Interruption])[] {
  if (style === "ids") return interruptions.map((one) => [one.id, one]);
  const taken = new Set<string>();
  return interruptions.map((one, index) => {
    const own = one.kind === "question" ? one.answerKey : undefined;
    const key = own === undefined || /^\d*$/u.test(own) || taken.has(own) ? `q${index}` : own;
    taken.add(key);
    return [key, one];
  });
}

const plain: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean"]);

/** Tests if a schema is a form of the protocol: an object with plain fields, choices, and lists of choices. */
function isForm(schema: JsonSchema): boolean {
  if (schema["type"] !== "object") return false;
  const fields = Object.values((schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>);
  return fields.every((field) => (field["type"] === "array" ? isChoice(field["items"]) : plain.has(field["type"])));
}

/** The items of a multi-select field: a list of texts, or of constants with titles. */
function isChoice(items: unknown): boolean {
  if (typeof items !== "object" || items === null) return false;
  const { type, enum: texts, anyOf } = items as Readonly<Record<string, unknown>>;
  if (Array.isArray(texts)) return type === "string";
  return Array.isArray(anyOf) && anyOf.every((one: { readonly const?: unknown }) => typeof one.const === "string");
}
