import { compileHistory, historyTarget, ModelError } from "@bailiwick/core/provider";
import type { AssistantMessage, Message, ModelProvider } from "@bailiwick/core";
import { anthropic } from "@bailiwick/providers-anthropic";
import { google } from "@bailiwick/providers-google";
import { openai, type CompatName } from "@bailiwick/providers-openai";
import { collectChunks } from "@bailiwick/testing";
import { recordedFrames } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { answers } from "./all-answers.fixture.ts";
import { judged, type JudgedWire } from "./vendor-judge.fixture.ts";
import type { WrittenAnswer } from "./written-answer.fixture.ts";

type Fetch = typeof globalThis.fetch;
type Make = (fetch: Fetch) => ModelProvider;
const apiKey = "test";
const tools = [{ type: "function", name: "look", description: "Looks.", inputSchema: { type: "object" } }] as const;

const targets: Readonly<Record<string, readonly [JudgedWire, Make]>> = {
  Claude: ["messages", (fetch) => anthropic("claude-opus-5", { apiKey, fetch })],
  "Claude 4.5": ["messages", (fetch) => anthropic("claude-sonnet-4-5", { apiKey, fetch })],
  Responses: ["responses", (fetch) => openai("gpt-5.5", { apiKey, fetch })],
  Gemini: ["generate", (fetch) => google("gemini-3-pro", { apiKey, fetch })],
  Chat: ["chat", (fetch) => openai("gpt-4.1", { apiKey, api: "chat", fetch })],
  Mistral: ["chat", (fetch) => openai("m", { apiKey, compat: "mistral", fetch })],
  DeepSeek: ["chat", (fetch) => openai("m", { apiKey, compat: "deepseek", fetch })],
};

/** The model that a written answer is of, with the wire of its requests. */
function authorOf({ wire, vendor }: WrittenAnswer): readonly [JudgedWire, Make] {
  switch (wire) {
    case "anthropic-messages":
      return ["messages", (fetch) => anthropic("claude-opus-5", { apiKey, fetch })];
    case "google-generate":
      return ["generate", (fetch) => google("gemini-3-pro", { apiKey, fetch })];
    case "openai-responses":
      return vendor === "openai-responses-xai"
        ? ["responses", (fetch) => openai("grok-4.5", { apiKey, compat: "xai", fetch })]
        : ["responses", (fetch) => openai("gpt-5.5", { apiKey, fetch })];
    case "openai-chat": {
      const compat = vendor.replace("openai-chat-", "") as CompatName;
      const baseURL = "http://127.0.0.1:1/v1";
      return ["chat", (fetch) => openai("m", { apiKey, api: "chat", compat, baseURL, fetch })];
    }
  }
}

/** The received answer: complete, or the part in the error. */
async function answerUpTo(make: Make, frames: readonly string[]): Promise<AssistantMessage | undefined> {
  const headers = { "content-type": "text/event-stream" };
  const model = make(async () => new Response(frames.join(""), { headers }));
  const { chunks, error } = await collectChunks(
    model.stream({ messages: [{ id: "u", role: "user", content: "Hi" }], tools, reasoning: { enabled: true } }),
  );
  const last = chunks.at(-1);
  if (last?.type === "finish") return last.response.message;
  return error instanceof ModelError ? error.partial?.message : undefined;
}

/** The body that a model sends for a history. */
async function bodyOf(make: Make, history: readonly Message[]): Promise<string> {
  let body = "";
  const model = make(async (_url, init) => {
    body = typeof init?.body === "string" ? init.body : "";
    return Response.json({ error: { message: "Enough." } }, { status: 400 });
  });
  const { messages } = compileHistory(history, historyTarget(model));
  await model.generate({ messages, tools, reasoning: { enabled: true } }).catch(() => undefined);
  return body;
}

/** The conversations that can follow an answer: interrupted, resumed without results, and with some of them. */
function conversations(answer: AssistantMessage): readonly (readonly Message[])[] {
  const question: Message = { id: "u", role: "user", content: "Hi" };
  const more: Message = { id: "u2", role: "user", content: "Go on." };
  const results = answer.toolCalls.map(({ id, name }, index): Message => ({
    id: `r${index}`,
    role: "tool",
    toolCallId: id,
    toolName: name,
    content: "There.",
  }));
  return [
    [question, answer, more],
    [question, answer, ...results],
    [question, answer, ...results.slice(1), more],
    [question, answer, { ...answer, id: "again" }, ...results, more],
  ];
}

/** The other models that get a conversation: one in turn, or each of them in `pnpm test:whole`. */
function others(turn: number): readonly (readonly [name: string, target: readonly [JudgedWire, Make]])[] {
  const all = Object.entries(targets);
  return process.env["BAILIWICK_WHOLE"] === undefined ? all.slice(turn % all.length).slice(0, 1) : all;
}

const streams = Object.entries(answers).filter(([, { events }]) => events !== undefined);

test.each(streams)(
  "%s: a conversation continues after a stream broke at any point, with its model and with others [providers.proof.any-history]",
  async (_name, answer) => {
    const [wire, make] = authorOf(answer);
    const chunks = (answer.events ?? []).map((event) => JSON.stringify(event)).join("\n");
    const frames = recordedFrames({ wire: answer.wire, chunks });
    let turn = 0;
    for (let cut = 1; cut <= frames.length; cut += 1) {
      const message = await answerUpTo(make, frames.slice(0, cut));
      if (message === undefined) continue;
      for (const history of conversations(message)) {
        for (const [name, [form, other]] of [["itself", [wire, make]] as const, ...others(turn++)]) {
          const body = await bodyOf(other, history);
          expect(judged(form, body), `cut after ${cut}, sent to ${name}: ${body}`).toEqual([]);
        }
      }
    }
  },
);
