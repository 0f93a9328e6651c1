import { ConfigurationError } from "../errors/configuration-errors.ts";
import { anyText, fields, listOf, said, type Check } from "../errors/value-checks.ts";
import { problemInMessage } from "../json/checked-json.ts";
import { isContentPart } from "./is-content-part.ts";

type Values = Readonly<Record<string, unknown>>;

const id = { id: anyText };
/** Programs in other languages write null for an absent name, which some vendors' messages cannot have. */
const author = { ...id, name: (value: unknown) => (value === undefined ? undefined : anyText(value)) };
const called = { toolCallId: anyText };
const words = fields({ text: anyText });
const hosted = fields({ ...called, toolName: anyText });

/** Parts of an answer that are not content, by their type; those with "-" are names of older versions. */
const answerParts = new Map<unknown, Check>([
  ["reasoning", words],
  ["refusal", words],
  ["source", fields({})],
  ["tool_call", fields(called)],
  // Parts of the AI SDK with this name hold the call itself.
  ["tool-call", fields({ ...called, toolName: (value) => (value === undefined ? undefined : "is in toolCalls") })],
  ["hosted_tool", hosted],
  ["hosted-tool", hosted],
]);

const part: Check = (value) => (isContentPart(value) ? undefined : "is a part with its text, data or url");
const parts = listOf(part);
const content: Check = (value) => (typeof value === "string" ? undefined : parts(value));

const roles = new Map<unknown, Check>([
  ["system", fields({ ...author, content: anyText })],
  ["user", fields({ ...author, content })],
  ["tool", fields({ ...author, ...called, toolName: anyText, content })],
  [
    "assistant",
    fields({
      ...author,
      content: listOf((value) => (answerParts.get((Object(value) as Values)["type"]) ?? part)(value)),
      toolCalls: listOf(fields({ ...id, name: anyText, arguments: anyText })),
      finishReason: anyText,
      provenance: fields({ provider: anyText, api: anyText, model: anyText }),
    }),
  ],
]);

/**
 * The reason why a run could not read a message, with its path; `undefined` if it can. Every store and every run asks
 * this function: a conversation holds only messages that it accepts.
 */
export function messageProblem(message: unknown): string | undefined {
  const { role, content, toolCalls, providerState } = Object(message) as Values;
  const check = roles.get(role);
  if (check === undefined) return ".role must be system, user, assistant or tool";
  const wrong = check(message);
  if (wrong !== undefined) return said("", wrong);
  const lost = problemInMessage({ content, toolCalls, providerState });
  return lost === undefined ? undefined : ` holds ${lost}`;
}

/**
 * The error for a message that no run can read.
 *
 * @param problem - Of `messageProblem`.
 */
export function invalidMessage(problem: string, index?: number): ConfigurationError {
  return new ConfigurationError(
    "INVALID_MESSAGE",
    `Message${index === undefined ? "" : ` ${index}`}${problem}. Correct it; fromChatMessages() converts OpenAI's form.`,
  );
}
