import { collectChunks, finishedResponse } from "@bailiwick/testing";
import type { ModelProvider, ModelResponse } from "@bailiwick/core";
import { expect, test } from "vitest";
import { look, user } from "./ask.fixture.ts";
import type { OpenAIOptions } from "./index.ts";
import { ollama } from "./ollama/index.ts";
import { framed, replaying } from "./replay.fixture.ts";

/** The values that servers write in a field that has no value: most are the zero values of Go. */
const zeros: readonly unknown[] = [null, "", [], {}, { id: "", name: "", arguments: "", code: 0, data: null }];

type Json = Readonly<Record<string, unknown>>;

/** A good answer on a wire, the optional fields that it does not have, by the path of their object, and their reader. */
interface Wire {
  readonly answers: readonly Json[];
  readonly optional: Readonly<Record<string, readonly string[]>>;
  readonly ask: (answer: Json) => Promise<ModelResponse>;
}

const request = { messages: [user("Hi")], tools: [look] };
const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const whole = (options: OpenAIOptions) => (answer: Json) =>
  replaying("some-model", options, bytes(answer)).generate(request);
const call = { id: "c1", type: "function", function: { name: "look", arguments: '{"id":"1"}' } };
const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const chat = (message: Json, reason: string): Json => ({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, finish_reason: reason, message: { role: "assistant", ...message } }],
  usage,
});
const ofMessage = ["refusal", "annotations", "audio", "function_call", "reasoning", "reasoning_content"];
const messageFields = [...ofMessage, "reasoning_details", "images", "executed_tools", "name"];
const response = (item: Json): Json => ({
  id: "r",
  object: "response",
  status: "completed",
  model: "m",
  output: [item],
  usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
});

const wires: Readonly<Record<string, Wire>> = {
  chat: {
    answers: [chat({ content: "It is sunny." }, "stop"), chat({ content: null, tool_calls: [call] }, "tool_calls")],
    optional: {
      "": ["error", "base_resp", "x_groq", "citations", "search_results", "service_tier", "system_fingerprint"],
      "choices.0": ["logprobs", "error", "stop_reason", "content_filter_results", "usage"],
      "choices.0.message": messageFields,
      "choices.0.message.tool_calls.0": ["extra_content", "custom", "index"],
    },
    ask: whole({ api: "chat", compat: "vllm" }),
  },
  "chat as a stream": {
    answers: [
      { choices: [{ index: 0, delta: { content: "It is sunny." }, finish_reason: "stop" }], usage },
      { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] }, finish_reason: "tool_calls" }], usage },
    ],
    optional: {
      "": ["error", "base_resp", "x_groq", "citations", "service_tier", "id", "model"],
      "choices.0": ["logprobs", "error", "message", "stop_reason", "usage"],
      "choices.0.delta": [...messageFields, "role"],
      "choices.0.delta.tool_calls.0": ["extra_content", "custom"],
    },
    ask: async (answer) =>
      finishedResponse(
        (await collectChunks(replaying("m", { api: "chat" }, framed([answer, "[DONE]"])).stream(request))).chunks,
      ),
  },
  responses: {
    answers: [
      response({ type: "message", id: "m", role: "assistant", content: [{ type: "output_text", text: "Sunny." }] }),
      response({ type: "function_call", id: "f", call_id: "c1", name: "look", arguments: '{"id":"1"}' }),
    ],
    optional: {
      "": ["error", "incomplete_details", "instructions", "metadata", "reasoning", "service_tier", "background"],
      "output.0": ["phase", "status", "caller", "namespace", "error"],
      "output.0.content.0": ["annotations", "logprobs", "refusal"],
    },
    ask: whole({ api: "responses" }),
  },
  ollama: {
    answers: [
      { model: "m", done: true, done_reason: "stop", message: { role: "assistant", content: "Sunny." } },
      {
        model: "m",
        done: true,
        done_reason: "stop",
        message: { role: "assistant", content: "", tool_calls: [{ id: "c1", function: call.function }] },
      },
    ],
    optional: {
      "": ["error", "logprobs", "created_at", "context"],
      message: ["thinking", "images", "tool_name", "tool_calls"],
    },
    ask: (answer) => {
      const model: ModelProvider = ollama("m", {
        baseURL: "http://127.0.0.1:1",
        fetch: () => Promise.resolve(new Response(JSON.stringify(answer))),
      });
      return model.generate(request);
    },
  },
};

/** Every answer with a zero value in one of its optional fields. */
function variants(
  answer: Json,
  optional: Wire["optional"],
): readonly { field: string; value: unknown; answer: Json }[] {
  return Object.entries(optional).flatMap(([path, names]) => {
    const steps = path === "" ? [] : path.split(".");
    const at = (root: Json): Record<string, unknown> | undefined =>
      steps.reduce<unknown>((value, step) => (value as Json | undefined)?.[step], root) as
        | Record<string, unknown>
        | undefined;
    const target = at(answer);
    if (target === undefined) return [];
    return names
      .filter((name) => !Object.hasOwn(target, name))
      .flatMap((name) =>
        zeros.map((value) => {
          const copy = structuredClone(answer);
          Object.assign(at(copy) ?? {}, { [name]: value });
          return { field: `${path}.${name}`, value, answer: copy };
        }),
      );
  });
}

test.each(Object.entries(wires))(
  "the zero value of an optional field is its absence (%s) [providers.rule.zero-values]",
  async (_name, { answers, optional, ask }) => {
    for (const answer of answers) {
      const { message, usage: counted, warnings } = await ask(answer);
      const ids = message.id.length === 36 ? { id: expect.any(String) as string } : {};
      for (const { field, value, answer: changed } of variants(answer, optional)) {
        const read = await ask(changed).catch((error: unknown) => error);
        expect({ field, value, read }).toMatchObject({
          field,
          value,
          read: { message: { ...message, ...ids }, usage: counted, warnings },
        });
      }
    }
  },
);

test.each(["queued", "in_progress"])(
  "an answer with the status %s is an error that says so, not an empty answer [providers.openai-responses.unfinished]",
  async (status) => {
    const answer = { id: "resp_1", object: "response", status, background: true, model: "m", output: [], usage: null };
    await expect(whole({ api: "responses" })(answer)).rejects.toMatchObject({
      code: "MODEL_RESPONSE_INVALID",
      retryable: false,
      message: expect.stringContaining(`its status is "${status}"`) as string,
    });
  },
);

test("counts of usage keep 0, and empty arguments and texts stay", async () => {
  const { message, usage: counted } = await wires["chat"]!.ask({
    ...chat({ content: "", tool_calls: [{ ...call, function: { name: "look", arguments: "" } }] }, "tool_calls"),
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  });
  expect([message.toolCalls[0]?.arguments, message.toolCalls[0]?.input]).toEqual(["", {}]);
  expect(counted).toMatchObject({ inputTokens: 0, outputTokens: 0 });
});
