import { BailiwickError } from "@bailiwick/core";
import type {
  Message,
  ModelProvider,
  ModelRequest,
  ModelResponse,
  ProgramCall,
  ProgramState,
  StreamChunk,
} from "@bailiwick/core";
import { noUsage, takesEverything } from "../computed-answers.ts";
import type { CodeRunner, ProgramEnd, WrittenProgram } from "./written-program.ts";

/**
 * A model whose answers are the next calls of a program, so that each call passes the same stages as a call of a
 * language model. The program runs from its top for each answer, with the results in the conversation, so that no
 * other state has to be stored.
 *
 * @param name - Name of the agent.
 * @param run - Runs a program.
 */
export function codeModel(name: string, run: CodeRunner): ModelProvider {
  const generate = async (request: ModelRequest): Promise<ModelResponse> => {
    const { messages, signal } = request;
    signal?.throwIfAborted();
    const written = programIn(messages);
    try {
      return respond(name, await run({ ...written, signal }), messages.length);
    } catch (error) {
      signal?.throwIfAborted();
      return respond(name, failed(error), messages.length);
    }
  };
  return {
    provider: "bailiwick",
    api: "code",
    modelId: name,
    capabilities: takesEverything,
    generate,
    async *stream(request): AsyncGenerator<StreamChunk> {
      const response = await generate(request);
      yield { type: "finish", finishReason: response.finishReason, usage: noUsage, response };
    },
  };
}

/** Reports an outside abort like an error of the program, because its earlier calls have happened. */
function failed(error: unknown): ProgramEnd {
  const message = error instanceof Error ? error.message : String(error);
  return { ok: false, message, logs: [], ...(BailiwickError.isInstance(error) && { code: error.code }) };
}

function programIn(messages: readonly Message[]): WrittenProgram {
  const at = messages.findIndex(({ role }) => role === "user");
  const asked = messages[at];
  const results = new Map<string, ProgramCall["result"]>();
  for (const message of messages) if (message.role === "tool") results.set(message.toolCallId, resultOf(message));
  const steps = messages.flatMap((message) =>
    message.role === "assistant" && message.toolCalls.length > 0
      ? [
          message.toolCalls.map(({ id, name, arguments: args }): ProgramCall => ({
            name,
            args,
            result: results.get(id) ?? { ok: false, message: "The call has no result." },
          })),
        ]
      : [],
  );
  if (asked?.role !== "user") return { source: "", steps, id: "", now: 0 };
  return { source: textOf(asked.content), steps, id: asked.id, now: asked.timestamp ?? 0 };
}

/** Results are JSON, unless a text replaced them. */
function resultOf({ content, isError }: Extract<Message, { role: "tool" }>): ProgramCall["result"] {
  const text = textOf(content);
  if (isError === true) return { ok: false, message: text };
  try {
    JSON.parse(text);
    return { ok: true, json: text };
  } catch {
    return { ok: true, json: JSON.stringify(text) };
  }
}

function textOf(content: Extract<Message, { role: "tool" | "user" }>["content"]): string {
  return typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function respond(
  name: string,
  state: Extract<ProgramState, { kind: "calls" }> | ProgramEnd,
  turn: number,
): ModelResponse {
  const toolCalls =
    "kind" in state
      ? state.calls.map((call, index) => ({
          id: `${turn}-${index}`,
          name: call.name,
          arguments: call.args,
          input: JSON.parse(call.args) as unknown,
        }))
      : [];
  const finishReason = "kind" in state ? "tool_calls" : "stop";
  return {
    message: {
      role: "assistant",
      id: `${name}-${turn}`,
      content:
        "kind" in state
          ? toolCalls.map(({ id }) => ({ type: "tool_call", toolCallId: id }))
          : [{ type: "text", text: state.ok ? "The program is done." : "The program failed." }],
      toolCalls,
      finishReason,
      provenance: { provider: "bailiwick", api: "code", model: name },
      usage: noUsage,
      ...("kind" in state ? {} : { providerState: { program: { ...state } } }),
    },
    usage: noUsage,
    finishReason,
    raw: undefined,
    warnings: [],
  };
}
