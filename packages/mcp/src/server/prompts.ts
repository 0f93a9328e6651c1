import type { ContentPart, JsonSchema } from "@bailiwick/core";
import { inputRequired, inputResponse, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type {
  GetPromptResult,
  InputRequests,
  InputRequiredResult,
  Prompt,
  ServerContext,
} from "@modelcontextprotocol/server";
import { blockOf } from "./call-result.ts";
import type { Completion } from "./completion.ts";
import type { McpCaller } from "./served-agent.ts";

/** An argument of a prompt. */
export interface PromptArgument {
  /** Name of the argument. */
  readonly name: string;
  /** Description that clients show. */
  readonly description?: string | undefined;
  /** Default `false`. */
  readonly required?: boolean | undefined;
  /** Suggests values while a person types one. Default: none are suggested. */
  readonly complete?: Completion | undefined;
}

/** A message of a served prompt. */
export interface PromptMessage {
  /** Default `user`. */
  readonly role?: "user" | "assistant" | undefined;
  /** Content of the message. */
  readonly content: string | ContentPart;
}

/** Context of a prompt's function, in addition to the arguments. */
export interface PromptContext {
  /** The caller that `authorize` returned. */
  readonly caller: McpCaller;
  /** Aborted when the client no longer needs the answer. */
  readonly signal: AbortSignal;
  /**
   * Asks the client's user. Once the user has answered, the function runs again from its top, and this call returns the
   * answer.
   *
   * @param question - The question, with the form of the answer: an object with plain fields.
   * @returns The answer; `undefined` if the user declined.
   */
  ask(question: {
    readonly key: string;
    readonly message: string;
    readonly schema: JsonSchema;
  }): Promise<Readonly<Record<string, unknown>> | undefined>;
}

type Messages = string | readonly PromptMessage[];

/** A prompt that clients can get. */
export interface ServedPrompt {
  /** Name of the prompt. */
  readonly name: string;
  /** Title that clients show. Default: the name. */
  readonly title?: string | undefined;
  /** Description that clients show. */
  readonly description?: string | undefined;
  /** Arguments that the prompt takes. Default: none. */
  readonly arguments?: readonly PromptArgument[] | undefined;
  /** The messages, or a function that makes them. Text is one message of the user. */
  readonly messages:
    | Messages
    | ((args: Readonly<Record<string, string>>, context: PromptContext) => Messages | Promise<Messages>);
}

/** A question without an answer ends the function, and is sent to the client. */
class Unanswered extends Error {
  readonly requests: InputRequests;
  constructor(requests: InputRequests) {
    super("A question of this prompt has no answer yet.");
    this.requests = requests;
  }
}

/** A prompt as clients see it in the list. */
export function listedPrompt({ name, title, description, arguments: given = [] }: ServedPrompt): Prompt {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    arguments: given.map(({ name: argument, description: about, required = false }) => ({
      name: argument,
      ...(about !== undefined && { description: about }),
      required,
    })),
  };
}

/**
 * Makes the messages of a prompt.
 *
 * @throws ProtocolError for an unknown prompt, or a required argument that is missing.
 */
export async function promptMessages(
  served: readonly ServedPrompt[],
  { name, args }: { readonly name: string; readonly args: Readonly<Record<string, string>> },
  caller: McpCaller,
  ctx: ServerContext,
): Promise<GetPromptResult | InputRequiredResult> {
  const prompt = served.find((one) => one.name === name);
  const refuse = (why: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, why);
  if (prompt === undefined) throw refuse(`There is no prompt "${name.slice(0, 128)}".`);
  const missing = prompt.arguments?.find((one) => one.required === true && args[one.name] === undefined);
  if (missing !== undefined) throw refuse(`The prompt "${name}" needs the argument "${missing.name}".`);
  try {
    const { messages } = prompt;
    const made = typeof messages === "function" ? await messages(args, contextOf(caller, ctx)) : messages;
    const list: readonly PromptMessage[] = typeof made === "string" ? [{ content: made }] : made;
    return {
      ...(prompt.description !== undefined && { description: prompt.description }),
      messages: list.flatMap(({ role = "user", content }) =>
        blockOf(typeof content === "string" ? { type: "text", text: content } : content).map((block) => ({
          role,
          content: block,
        })),
      ),
    };
  } catch (error) {
    if (error instanceof Unanswered) return inputRequired({ inputRequests: error.requests });
    throw error;
  }
}

function contextOf(caller: McpCaller, ctx: ServerContext): PromptContext {
  return {
    caller,
    signal: ctx.mcpReq.signal,
    ask: async ({ key, message, schema }) => {
      const answer = inputResponse(ctx.mcpReq.inputResponses, key);
      if (answer.kind === "elicit") return answer.action === "accept" ? (answer.content ?? {}) : undefined;
      throw new Unanswered({ [key]: inputRequired.elicit({ message, requestedSchema: schema as never }) });
    },
  };
}
