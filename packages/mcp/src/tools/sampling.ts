import { createAgentRuntime } from "@bailiwick/core";
import { callerModel } from "@bailiwick/core/extension";
import type { ChatMessage, ContentPart, RunOutput, Schema } from "@bailiwick/core";
import { ProtocolError } from "@modelcontextprotocol/client";
import type { CreateMessageRequest, CreateMessageResult } from "@modelcontextprotocol/client";
import type { SamplingOptions, SamplingRequest } from "../sampling-options.ts";
import { askFunction } from "./ask-function.ts";
import { askPerson } from "./ask-person.ts";
import { schemaOf } from "./json-schema.ts";
import type { CallUnderWay } from "./call-under-way.ts";
import { partOf } from "./tool-result.ts";

/** Code with which clients refuse a request that their user rejected. */
const rejectedCode = -1;

/** Inputs for an answer to a server. */
export interface Sampling {
  readonly server: string;
  readonly terms: SamplingOptions;
  readonly call: CallUnderWay;
}

type Params = CreateMessageRequest["params"];
type Content = Params["messages"][number]["content"];

/**
 * Answers a server with the agent's model, in a run inside the tool call: the budget, guardrails and limits of the
 * calling run bind it. It has no tools and does not see the conversation.
 *
 * @throws ProtocolError if the request is rejected or cannot be answered.
 */
export async function sample({ server, terms, call }: Sampling, params: Params): Promise<CreateMessageResult> {
  const { ctx, sampled: use } = call;
  const { maxRequests = 4, maxTokens: most = 1_024 } = terms;
  use.requests += 1;
  if (use.requests > maxRequests) throw rejected(`This call was answered ${maxRequests} times already`);
  const maxTokens = Math.min(most, Math.max(1, params.maxTokens));
  const model = callerModel(ctx.runOptions);
  const last = params.messages.at(-1);
  if (model === undefined || last?.role !== "user") throw rejected("The last message has to be the user's");
  const request = requestOf(server, params, maxTokens);
  if (!(await isApproved(terms, request, call))) throw rejected("The user rejected the request");
  const runtime = createAgentRuntime({
    name: `sampling for ${server}`,
    model,
    maxTurns: 1,
    ...(params.systemPrompt !== undefined && { instructions: params.systemPrompt }),
  });
  const messages: ChatMessage[] = params.messages
    .slice(0, -1)
    .map(({ role, content }) => ({ role, content: partsOf(content) }));
  const output = await runtime
    .run(partsOf(last.content), {
      ...ctx.runOptions,
      maxTokens,
      ...(params.temperature !== undefined && { temperature: params.temperature }),
      ...(messages.length > 0 && { messages }),
    })
    .catch((error: unknown) => {
      const partial = (error as { readonly output?: RunOutput | undefined } | null)?.output;
      if (partial !== undefined) use.outputs.push(partial);
      throw error;
    });
  use.outputs.push(output);
  if (output.status !== "completed") throw rejected(`The model did not answer (${output.stopReason})`);
  const isCut = output.warnings.some(({ code }) => code === "answer_truncated");
  return {
    role: "assistant",
    content: { type: "text", text: output.text },
    model: output.model,
    stopReason: isCut ? "maxTokens" : "endTurn",
  };
}

async function isApproved(
  { approve }: SamplingOptions,
  request: SamplingRequest,
  call: CallUnderWay,
): Promise<boolean> {
  if (approve === undefined) return true;
  if (approve !== "ask") {
    const { signal, logger } = call.ctx;
    const failed = (message: string, error: Error): void =>
      logger.error(`MCP server "${request.server}": ${message}`, { error });
    // A function without types may return anything; only true approves.
    const answer: unknown = await askFunction({ name: "sampling.approve", signal, failed }, () => approve(request));
    return answer === true;
  }
  const said = request.messages.map(({ role, text }) => `${role}: ${text}`).join("\n");
  return askPerson(call, {
    question: `May the MCP server "${request.server}" have the model answer this? ${said}`,
    schema: schemaOf({ type: "boolean" }, `The question of the MCP server "${request.server}"`) as Schema<boolean>,
    content: request,
  });
}

function requestOf(server: string, { messages, systemPrompt }: Params, maxTokens: number): SamplingRequest {
  return {
    server,
    messages: messages.map(({ role, content }) => ({
      role,
      text: partsOf(content)
        .map((part) => (part.type === "text" ? part.text : `[${part.type}]`))
        .join("\n"),
    })),
    ...(systemPrompt !== undefined && { systemPrompt }),
    maxTokens,
  };
}

/** The parts of a message; a server wrote them. */
function partsOf(content: Content): readonly ContentPart[] {
  return [content].flat().map((block) => {
    if (block.type === "tool_use" || block.type === "tool_result")
      throw rejected("This client does not answer requests with tools");
    return { ...partOf(block), untrusted: true };
  });
}

function rejected(why: string): ProtocolError {
  return new ProtocolError(rejectedCode, `${why}.`);
}
