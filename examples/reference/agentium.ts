// The types of Agentium, first part: runs, messages and usage. `agentium-settings.ts` has the rest.
import { Agent, eventBus, tool, type RunContext } from "@bailiwick/agent";
import { memoryStore, toChatMessage, type StreamChunk } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { z } from "zod";
import { row, rows } from "./row.ts";

// RunContext and RunOpts
const bus = eventBus();
const session = memoryStore().sessions;
let seen: RunContext | undefined;
let visits: number | undefined;
const greet = tool({
  name: "greet",
  description: "Greets the user by name.",
  inputSchema: z.object({ greeting: z.string() }),
  sideEffectClass: "pure",
  execute: ({ greeting }, ctx) => {
    visits = (ctx.getState<number>("visits") ?? 0) + 1;
    ctx.setState("visits", visits);
    seen = ctx;
    return `${greeting}! Visit #${visits} from ${String(ctx.metadata["source"] ?? "unknown")}`;
  },
});
const greeting = { toolCalls: [{ id: "call_abc123", name: "greet", arguments: { greeting: "Hi" } }] };
const scripted = scriptedModel([
  greeting,
  { text: "Hello.", reasoning: "A greeting." },
  greeting,
  "Hello again.",
  "Hi.",
]);
const model = {
  ...scripted,
  async generate(request: Parameters<typeof scripted.generate>[0]) {
    const response = await scripted.generate(request);
    keys.push(request.apiKey);
    const usage = {
      ...response.usage,
      reasoningTokens: 1,
      cachedTokens: 2,
      audioInputTokens: 3,
      audioOutputTokens: 4,
      providerMetrics: { thoughtsTokenCount: 1 },
    };
    responses.push({ ...response, usage, raw: { object: "chat.completion" } });
    return { ...response, usage, responseId: "chatcmpl-1" };
  },
};
const keys: (string | undefined)[] = [];
const responses: object[] = [];
const desk = new Agent({
  name: "support-bot",
  model,
  tools: [greet],
  session,
  eventBus: bus,
  userId: "user-0",
  dependencies: { API_URL: "https://api.example", REPORT_DATE: "2026-01-01" },
  instructions: (ctx) => `Respond in ${String(ctx.metadata["language"] ?? "English")}.`,
});
const options = {
  sessionId: "session-abc",
  userId: "user-123",
  tenantId: "tenant-acme",
  metadata: { source: "web", language: "Spanish" },
  apiKey: "sk-user-specific-key",
  signal: new AbortController().signal,
  dependencies: { REPORT_DATE: "2026-02-28" },
};
const output = await desk.run("Summarize this document", options);
const again = await desk.run("And again", options);
if (seen === undefined) throw new Error("The tool was not called.");
rows("RunContext", { runId: seen.runId, eventBus: seen.eventBus === bus, signal: seen.signal.aborted });
row("RunContext.sessionId", seen.sessionId, "session-abc");
row("RunContext.userId", seen.userId, "user-123");
row("RunContext.tenantId", seen.tenantId, "tenant-acme");
row("RunContext.metadata", seen.metadata, { source: "web", language: "Spanish" });
row("RunContext.sessionState", seen.sessionState, { visits: 2 });
row("RunContext.dependencies", seen.dependencies, { API_URL: "https://api.example", REPORT_DATE: "2026-02-28" });
row("RunContext.getState", seen.getState("visits"), 2);
row("RunContext.setState", visits, 2);
row("RunOpts.sessionId", again.sessionId, "session-abc");
row("RunOpts.userId", output.userId, "user-123");
row("RunOpts.tenantId", output.tenantId, "tenant-acme");
row("RunOpts.metadata", scripted.requests[0]?.messages[0]?.content, "Respond in Spanish.");
row("RunOpts.apiKey", keys[0], "sk-user-specific-key");
row("RunOpts.dependencies", (seen.dependencies as { REPORT_DATE: string }).REPORT_DATE, "2026-02-28");
const plain = await desk.run("No options");
row("RunOpts.userId: the agent's", plain.userId, "user-0");
const stopped = AbortSignal.abort();
row("RunOpts.signal", (await desk.run("Stopped", { signal: stopped })).status, "cancelled");

// ChatMessage and its parts
const wire = output.messages.map((message) => toChatMessage(message));
rows("ChatMessage", {
  role: output.messages[0]?.role,
  content: output.messages[0]?.content,
  toolCalls: output.messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []))[0],
});
row(
  "ChatMessage.toolCallId",
  wire.flatMap((one) => ("tool_call_id" in one ? [one.tool_call_id] : []))[0],
  "call_abc123",
);
const parts = scriptedModel(["Seen."]);
const pdf = { type: "file", data: "JVBERi0=", mimeType: "application/pdf", filename: "a.pdf" } as const;
await new Agent({ name: "reader", model: parts }).run({
  id: "m1",
  role: "user",
  name: "ana",
  content: [
    { type: "text", text: "What's in this image?" },
    { type: "image", data: "https://example.com/photo.jpg", mimeType: "image/png" },
    { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
    pdf,
  ],
});
const sent = parts.requests[0]?.messages.at(-1);
const content = typeof sent?.content === "string" ? [] : (sent?.content ?? []);
const [text, image, audio, file] = content as unknown as readonly Readonly<Record<string, unknown>>[];
row("ChatMessage.name", sent?.name, "ana");
rows("TextPart", { type: text?.["type"], text: text?.["text"] });
rows("ImagePart", { type: image?.["type"], data: image?.["data"] ?? image?.["url"], mimeType: image?.["mimeType"] });
rows("AudioPart", { type: audio?.["type"], data: audio?.["data"], mimeType: audio?.["mimeType"] });
rows("FilePart", {
  type: file?.["type"],
  data: file?.["data"],
  mimeType: file?.["mimeType"],
  filename: file?.["filename"],
});

// ModelResponse, TokenUsage and RunOutput
const response = responses[1] as Readonly<Record<string, unknown>>;
rows("ModelResponse", {
  message: response["message"],
  usage: response["usage"],
  finishReason: response["finishReason"],
  raw: response["raw"],
});
const { usage } = output;
rows("TokenUsage", {
  promptTokens: usage.inputTokens,
  completionTokens: usage.outputTokens,
  reasoningTokens: usage.reasoningTokens,
  cachedTokens: usage.cachedTokens,
  audioInputTokens: usage.audioInputTokens,
  audioOutputTokens: usage.audioOutputTokens,
});
row("TokenUsage.totalTokens", usage.totalTokens, usage.inputTokens + usage.outputTokens);
row("TokenUsage.providerMetrics", usage.providerMetrics, { thoughtsTokenCount: 1 });
const follow = scriptedModel(["Paris.", '{"suggestions":["Why?","Since when?","Who says so?"]}']);
const suggested = await new Agent({ name: "guide", model: follow, generateFollowups: true }).run("Capital?");
const parsed = await new Agent({
  name: "parser",
  model: scriptedModel(['{"city":"Paris"}']),
  output: z.object({ city: z.string() }),
}).run("Capital?");
row("RunOutput.text", output.text, "Hello.");
row("RunOutput.toolCalls", output.toolCalls[0]?.output, "Hi! Visit #1 from web");
row("RunOutput.structured", parsed.structured, { city: "Paris" });
row("structuredOutput", parsed.structured?.city, "Paris");
row("RunOutput.thinking", output.thinking, "A greeting.");
row("RunOutput.agentName", output.agentName, "support-bot");
row("RunOutput.sessionId", output.sessionId, "session-abc");
row("RunOutput.userId", output.userId, "user-123");
row("RunOutput.status", output.status, "completed");
row("RunOutput.responseId", output.responseId, "chatcmpl-1");
row("RunOutput.followupSuggestions", suggested.followupSuggestions);
rows("RunOutput", {
  usage: output.usage,
  durationMs: output.durationMs,
  runId: output.runId,
  model: output.model,
  modelProvider: output.modelProvider,
  createdAt: output.createdAt,
  metrics: output.metrics,
  messages: output.messages.length,
});

// StreamChunk: the chunks of a model's answer.
const streaming = scriptedModel([
  { reasoning: "Add.", text: "Let me see.", toolCalls: [{ id: "c1", name: "add", arguments: { a: 1 } }] },
]);
const chunks: StreamChunk[] = [];
for await (const chunk of streaming.stream({ messages: [{ id: "u", role: "user", content: "1 + 1?" }] }))
  chunks.push(chunk);
const first = <Type extends StreamChunk["type"]>(type: Type) =>
  chunks.find((chunk): chunk is Extract<StreamChunk, { type: Type }> => chunk.type === type);
for (const type of ["text", "thinking", "tool_call_start", "tool_call_delta", "tool_call_end", "finish"] as const)
  row(`StreamChunk.type:${type}`, first(type)?.type);
row("StreamChunk.text", first("text")?.text);
row("StreamChunk.toolCall", first("tool_call_start")?.toolCall, { id: "c1", name: "add" });
row("StreamChunk.toolCallId", first("tool_call_end")?.toolCallId, "c1");
row("StreamChunk.argumentsDelta", first("tool_call_delta")?.argumentsDelta);
row("StreamChunk.finishReason", first("finish")?.finishReason, "tool_calls");
row("StreamChunk.usage", first("finish")?.usage);

// Settings, hooks and events; then each value, default and nested field.
await import("./agentium-settings.ts");
await import("./agentium-details.ts");
