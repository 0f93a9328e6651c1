import type { Message, UserMessage } from "@bailiwick/core";
import { invalid } from "./run-parameters.ts";

/** A run that the playground starts. */
export interface Play {
  /** The conversation; its last user message is the input. */
  readonly messages: readonly Message[];
  readonly input: UserMessage;
  readonly instructions?: string | undefined;
  readonly model?: string | undefined;
  readonly temperature?: number | undefined;
  /** `simulate`: calls of writers change nothing. */
  readonly effects: "simulate" | "run";
  readonly fromRunId?: string | undefined;
}

const roles: ReadonlySet<unknown> = new Set(["user", "assistant", "tool"]);

/**
 * Reads the body of a request to the playground.
 *
 * @throws RequestError `INVALID_REQUEST`
 */
export function playOf(body: unknown): Play {
  const { messages, instructions, model, temperature, effects, fromRunId } = (body ?? {}) as Readonly<
    Record<string, unknown>
  >;
  if (!Array.isArray(messages) || messages.length === 0 || !messages.every(isMessage))
    throw invalid('"messages" has to be a list of messages with "id", "role" and "content".');
  const input = messages.findLast((message): message is UserMessage => message.role === "user");
  if (input === undefined) throw invalid('"messages" needs a message of the user. Add one.');
  if (effects !== "simulate" && effects !== "run") throw invalid('"effects" has to be "simulate" or "run".');
  if (temperature !== undefined && (typeof temperature !== "number" || !Number.isFinite(temperature)))
    throw invalid('"temperature" has to be a number.');
  return {
    messages,
    input,
    effects,
    instructions: optionalText(instructions, "instructions"),
    model: optionalText(model, "model"),
    temperature,
    fromRunId: optionalText(fromRunId, "fromRunId"),
  };
}

function isMessage(value: unknown): value is Message {
  const { id, role, content } = (value ?? {}) as Partial<Message>;
  return typeof id === "string" && roles.has(role) && (typeof content === "string" || Array.isArray(content));
}

function optionalText(value: unknown, name: string): string | undefined {
  if (value === undefined || value === "") return undefined;
  if (typeof value !== "string") throw invalid(`"${name}" has to be a text.`);
  return value;
}
