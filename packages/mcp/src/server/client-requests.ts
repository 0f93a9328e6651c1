import { checkArgument } from "@bailiwick/core";
import { compileSchema } from "@bailiwick/core/extension";
import type { JsonSchema, Schema, ToolExecutionContext } from "@bailiwick/core";
import { inputRequired, inputResponse } from "@modelcontextprotocol/server";
import type { InputRequest } from "@modelcontextprotocol/server";

/** A request of a served tool to the client that called it. */
export type ClientRequest =
  /** Asks the client's user with a form of plain fields. */
  | { readonly kind: "form"; readonly message: string; readonly schema: JsonSchema }
  /** Asks the client's model (sampling). */
  | {
      readonly kind: "sampling";
      readonly prompt: string;
      readonly systemPrompt?: string | undefined;
      /** Maximum number of tokens of the answer. Default 1,000. */
      readonly maxTokens?: number | undefined;
    }
  /** Asks for the folders that the client works in. */
  | { readonly kind: "roots" };

/** The client's answer: fields of a form, a model's text, or folders. All of it is untrusted. */
export interface ClientAnswer {
  /** The fields of the form, if the user accepted it. */
  readonly content?: Readonly<Record<string, unknown>> | undefined;
  /** The text that the client's model wrote. */
  readonly text?: string | undefined;
  /** Name of the model that answered. */
  readonly model?: string | undefined;
  /** The folders of the client. */
  readonly roots?: readonly { readonly uri: string; readonly name?: string | undefined }[] | undefined;
}

/** Keyword that marks a question as one for the client of a served call. */
const keyword = "x-mcp-requests";

/**
 * Asks the client of a served call: its user, its model, or for its folders. The run suspends until the answers arrive,
 * as with `ctx.ask`; then `execute` starts again from its top. Requires `questions: "elicit"`. A client without the
 * capability gets an error that names it, and the run is cancelled.
 *
 * @param ctx - Context of the tool.
 * @param requests - Requests by key; they are sent together.
 * @returns The answers by key.
 * @example
 * ```ts
 * import { tool } from "@bailiwick/agent";
 * import { askClient } from "@bailiwick/mcp/server";
 *
 * export const headline = tool({
 *   name: "headline",
 *   description: "Writes a headline with the client's model.",
 *   inputSchema: { type: "object", properties: {} },
 *   sideEffectClass: "read-only",
 *   execute: async (_input, ctx) => {
 *     const { line } = await askClient(ctx, { line: { kind: "sampling", prompt: "A headline on rain.", maxTokens: 50 } });
 *     return line?.text ?? "";
 *   },
 * });
 * ```
 */
export async function askClient(
  ctx: ToolExecutionContext,
  requests: Readonly<Record<string, ClientRequest>>,
): Promise<Readonly<Record<string, ClientAnswer>>> {
  checkArgument(ctx, "ask", "askClient(ctx, { line: { kind } })");
  checkArgument(requests, "object", "askClient(ctx, { line: { kind } })");
  const answers: Record<string, ClientAnswer> = {};
  // A client may answer some of the requests first; it then gets the others again.
  for (let left = Object.entries(requests); left.length > 0; left = left.filter(([key]) => answers[key] === undefined))
    Object.assign(answers, await askFor(ctx, left));
  return answers;
}

function askFor(
  ctx: ToolExecutionContext,
  requests: readonly (readonly [string, ClientRequest])[],
): Promise<Readonly<Record<string, ClientAnswer>>> {
  const keys = requests.map(([key]) => key);
  const jsonSchema: JsonSchema = {
    type: "object",
    properties: Object.fromEntries(keys.map((key) => [key, { type: "object" }])),
    additionalProperties: false,
    minProperties: 1,
    [keyword]: Object.fromEntries(requests.map(([key, one]) => [key, { ...one }])),
  };
  return ctx.ask({
    question: "A question to the client that called.",
    schema: schemaOf(jsonSchema) as Schema<Readonly<Record<string, ClientAnswer>>>,
    key: `mcp-${keys.join("-")}`,
  });
}

/** The requests to the client in a question's schema; `undefined` for a question to a person. */
export function clientRequestsIn(
  schema: JsonSchema | undefined,
): readonly (readonly [string, ClientRequest])[] | undefined {
  const requests = schema?.[keyword] as Readonly<Record<string, ClientRequest>> | undefined;
  return requests === undefined ? undefined : Object.entries(requests);
}

/** Converts a request to the protocol's form. */
export function wireRequest(request: ClientRequest): InputRequest {
  switch (request.kind) {
    case "form":
      return inputRequired.elicit({ message: request.message, requestedSchema: request.schema as never });
    case "sampling":
      return inputRequired.createMessage({
        messages: [{ role: "user", content: { type: "text", text: request.prompt } }],
        maxTokens: request.maxTokens ?? 1_000,
        ...(request.systemPrompt !== undefined && { systemPrompt: request.systemPrompt }),
      });
    case "roots":
      return inputRequired.listRoots();
  }
}

/** Reads one answer: `undefined` while it is missing or does not fit. */
export async function clientAnswer(
  request: ClientRequest,
  responses: Readonly<Record<string, unknown>> | undefined,
  key: string,
): Promise<ClientAnswer | "declined" | undefined> {
  const answer = inputResponse(responses, key);
  if (request.kind === "form" && answer.kind === "elicit") {
    if (answer.action !== "accept") return "declined";
    const content = answer.content ?? {};
    const { validate } = compileSchema(request.schema, { what: `The form "${key}"` });
    return (await validate(content)).ok ? { content } : undefined;
  }
  if (request.kind === "sampling" && answer.kind === "sampling") {
    const blocks = [answer.result.content].flat();
    const text = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    return { text, model: answer.result.model };
  }
  if (request.kind === "roots" && answer.kind === "roots")
    return { roots: answer.roots.map(({ uri, name }) => ({ uri, ...(name !== undefined && { name }) })) };
  return undefined;
}

function schemaOf(jsonSchema: JsonSchema): object {
  const { validate } = compileSchema(jsonSchema, { what: "The question to the client" });
  return {
    "~standard": {
      version: 1,
      vendor: "bailiwick",
      validate: async (value: unknown) => {
        const result = await validate(value);
        return result.ok ? { value: result.value } : { issues: result.issues.map(({ message }) => ({ message })) };
      },
      jsonSchema: { input: () => jsonSchema, output: () => jsonSchema },
    },
  };
}
