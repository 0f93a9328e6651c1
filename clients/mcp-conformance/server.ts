// The server that the kit judges: served tools, resources and prompts with the names that its scenarios ask for.
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent, memoryStore, toolReturn } from "@bailiwick/agent";
import type { Tool } from "@bailiwick/agent";
import type { ContentPart, JsonSchema } from "@bailiwick/core";
import { anyone, askClient, mcpServer } from "@bailiwick/mcp/server";
import { scriptedModel } from "@bailiwick/testing";
import { scenarioTool } from "./scenario-tool.ts";
import { schemaOf } from "./schema.ts";
import { taskTerms, taskTools } from "./task-tools.ts";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";
const nothing: JsonSchema = { type: "object", properties: {} };
const texts = (...names: readonly string[]): JsonSchema => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  required: names,
});
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Execute = Tool["execute"];
const made = (name: string, execute: Execute, inputSchema: JsonSchema = nothing): Tool =>
  scenarioTool(name, inputSchema, execute, { streamingHint: true });

const file = (uri: string, mimeType: string, text: string): ContentPart => ({
  type: "file",
  data: Buffer.from(text).toString("base64"),
  mimeType,
  filename: uri,
});
const image: ContentPart = { type: "image", data: png, mimeType: "image/png" };
const audio: ContentPart = { type: "audio", data: wav, mimeType: "audio/wav" };

interface Asking {
  ask<T>(question: { question: string; schema: never; key?: string }): Promise<T>;
  reportProgress(progress: { message?: string; fraction?: number }): void;
}
const ask = async (ctx: unknown, question: string, schema: JsonSchema, key: string): Promise<Record<string, unknown>> =>
  (ctx as Asking).ask({ question, schema: schemaOf(schema) as never, key });
const report = (ctx: unknown, progress: { message?: string; fraction?: number }): void =>
  (ctx as Asking).reportProgress(progress);

const choices = ["option1", "option2", "option3"];
const titled = (names: readonly string[]): readonly object[] =>
  names.map((title, index) => ({ const: `value${index + 1}`, title }));

const tools: readonly Tool[] = [
  ...taskTools,
  made("test_simple_text", () => "This is a simple text response for testing."),
  made("test_image_content", () => toolReturn({ output: "", contentParts: [image] })),
  made("test_audio_content", () => toolReturn({ output: "", contentParts: [audio] })),
  made("test_embedded_resource", () =>
    toolReturn({
      output: "",
      contentParts: [file("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
    }),
  ),
  made("test_multiple_content_types", () =>
    toolReturn({
      output: "Multiple content types test:",
      contentParts: [
        image,
        file("test://mixed-content-resource", "application/json", JSON.stringify({ test: "data", value: 123 })),
      ],
    }),
  ),
  made("test_tool_with_logging", async (_, ctx) => {
    report(ctx, { message: "Tool execution started" });
    await pause(50);
    report(ctx, { message: "Tool processing data" });
    await pause(50);
    report(ctx, { message: "Tool execution completed" });
    return "Logged.";
  }),
  made("test_error_handling", () => {
    throw new Error("This tool intentionally returns an error for testing");
  }),
  made("test_tool_with_progress", async (_, ctx) => {
    for (const fraction of [0, 0.5, 1]) {
      report(ctx, { fraction });
      await pause(50);
    }
    return "Done.";
  }),
  made(
    "test_elicitation",
    async (input, ctx) => {
      const { message } = input as { message: string };
      const answer = await ask(ctx, message, texts("username", "email"), "user");
      return `User response: action=accept, content=${JSON.stringify(answer)}`;
    },
    texts("message"),
  ),
  made("test_elicitation_sep1034_defaults", async (_, ctx) => {
    const answer = await ask(
      ctx,
      "Please check these values.",
      {
        type: "object",
        properties: {
          name: { type: "string", default: "John Doe" },
          age: { type: "integer", default: 30 },
          score: { type: "number", default: 95.5 },
          status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
          verified: { type: "boolean", default: true },
        },
      },
      "values",
    );
    return `Elicitation completed: action=accept, content=${JSON.stringify(answer)}`;
  }),
  made("test_elicitation_sep1330_enums", async (_, ctx) => {
    const answer = await ask(
      ctx,
      "Please choose.",
      {
        type: "object",
        properties: {
          untitledSingle: { type: "string", enum: choices },
          titledSingle: { type: "string", oneOf: titled(["First Option", "Second Option", "Third Option"]) },
          legacyEnum: {
            type: "string",
            enum: ["opt1", "opt2", "opt3"],
            enumNames: ["Option One", "Option Two", "Option Three"],
          },
          untitledMulti: { type: "array", items: { type: "string", enum: choices } },
          titledMulti: { type: "array", items: { anyOf: titled(["First Choice", "Second Choice", "Third Choice"]) } },
        },
      },
      "choices",
    );
    return `Elicitation completed: action=accept, content=${JSON.stringify(answer)}`;
  }),
  made("test_input_required_result_elicitation", async (_, ctx) => {
    const { name } = await ask(ctx, "What is your name?", texts("name"), "user_name");
    return `Hello, ${String(name)}!`;
  }),
  ...["test_input_required_result_request_state", "test_input_required_result_tampered_state"].map((name) =>
    made(name, async (_, ctx) => {
      const schema: JsonSchema = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
      const { ok } = await ask(ctx, "Please confirm", schema, "confirm");
      return `state-ok ${String(ok)}`;
    }),
  ),
  made("test_input_required_result_multi_round", async (_, ctx) => {
    const { name } = await ask(ctx, "Step 1: What is your name?", texts("name"), "step1");
    const { color } = await ask(ctx, "Step 2: What is your favorite color?", texts("color"), "step2");
    return `${String(name)} likes ${String(color)}.`;
  }),
  made("test_streaming_elicitation", async (_, ctx) => {
    report(ctx, { message: "Asks." });
    const { name } = await ask(ctx, "What is your name?", texts("name"), "name");
    return `Hello, ${String(name)}!`;
  }),
  made(
    "test_sampling",
    async (input, ctx) => {
      const { prompt } = input as { prompt: string };
      const { answer } = await askClient(ctx, { answer: { kind: "sampling", prompt, maxTokens: 100 } });
      return `LLM response: ${answer?.text ?? ""}`;
    },
    texts("prompt"),
  ),
  made("test_input_required_result_sampling", async (_, ctx) => {
    const prompt = "What is the capital of France?";
    const answers = await askClient(ctx, { capital_question: { kind: "sampling", prompt, maxTokens: 100 } });
    return answers["capital_question"]?.text ?? "";
  }),
  ...["test_missing_capability", "test_input_required_result_capabilities"].map((name) =>
    made(name, async (_, ctx) => {
      const { answer } = await askClient(ctx, { answer: { kind: "sampling", prompt: "Greet.", maxTokens: 50 } });
      return answer?.text ?? "";
    }),
  ),
  made("test_input_required_result_list_roots", async (_, ctx) => {
    const answers = await askClient(ctx, { client_roots: { kind: "roots" } });
    return JSON.stringify(answers["client_roots"]?.roots);
  }),
  made("test_input_required_result_multiple_inputs", async (_, ctx) =>
    JSON.stringify(
      await askClient(ctx, {
        user_name: { kind: "form", message: "What is your name?", schema: texts("name") },
        greeting: { kind: "sampling", prompt: "Generate a greeting", maxTokens: 50 },
        client_roots: { kind: "roots" },
      }),
    ),
  ),
  made("test_logging_tool", (_, ctx) => {
    report(ctx, { message: "A line for the log." });
    return "Logged.";
  }),
  made("json_schema_2020_12_tool", () => "ok", {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } },
      },
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  }),
  made("headers_tool", ({ region }: { region?: string }) => `Region ${region ?? "unknown"}.`, {
    type: "object",
    properties: { region: { type: "string", "x-mcp-header": "Region" }, query: { type: "string" } },
  }),
];

const agent = new Agent({
  name: "conformance",
  model: scriptedModel([]),
  tools: [...tools],
  store: memoryStore(),
  flow: "off",
  hooksAreFatal: true,
  hooks: {
    beforeRun: (ctx) => {
      if (JSON.stringify(ctx.metadata).includes("protocol_error_job")) throw new Error("The server fails.");
    },
  },
});

const server = mcpServer({
  name: "conformance",
  agent,
  tools,
  questions: "elicit",
  tasks: taskTerms,
  resources: [
    {
      uri: "test://static-text",
      name: "text",
      description: "A text.",
      mimeType: "text/plain",
      content: "This is the content of the static text resource.",
    },
    {
      uri: "test://static-binary",
      name: "binary",
      description: "An image.",
      mimeType: "image/png",
      content: Buffer.from(png, "base64"),
    },
    { uri: "test://watched-resource", name: "watched", description: "Changes.", content: "As it is now." },
    {
      uri: "test://template/{id}/data",
      name: "data",
      description: "Data for an id.",
      mimeType: "application/json",
      content: ({ params }) =>
        JSON.stringify({ id: params["id"], templateTest: true, data: `Data for ID: ${params["id"] ?? ""}` }),
    },
  ],
  prompts: [
    { name: "test_simple_prompt", description: "Simple.", messages: "This is a simple prompt for testing." },
    {
      name: "test_prompt_with_arguments",
      description: "With arguments.",
      arguments: [
        {
          name: "arg1",
          description: "First test argument",
          required: true,
          complete: (typed) => ["paris", "park", "party"].filter((one) => one.startsWith(typed)),
        },
        { name: "arg2", description: "Second test argument", required: true },
      ],
      messages: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1 ?? ""}', arg2='${arg2 ?? ""}'`,
    },
    {
      name: "test_prompt_with_embedded_resource",
      description: "With a resource.",
      arguments: [{ name: "resourceUri", description: "URI of the resource to embed", required: true }],
      messages: ({ resourceUri = "" }) => [
        { content: file(resourceUri, "text/plain", "Embedded resource content for testing.") },
        { content: "Please process the embedded resource above." },
      ],
    },
    {
      name: "test_prompt_with_image",
      description: "With an image.",
      messages: [{ content: image }, { content: "Please analyze the image above." }],
    },
    {
      name: "test_input_required_result_prompt",
      description: "Asks first.",
      messages: async (_, { ask: asked }) => {
        const message = "What context should the prompt use?";
        const answer = await asked({ key: "user_context", message, schema: texts("context") });
        return `Context: ${String(answer?.["context"])}`;
      },
    },
  ],
});

const serving = server.http({ authorize: anyone });
const listener = createServer((incoming, outgoing) => void answer(incoming, outgoing));

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const gone = new AbortController();
  outgoing.on("close", () => gone.abort());
  const { method = "GET" } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD" && method !== "DELETE";
  const request = new Request(`http://${incoming.headers.host ?? "localhost"}${incoming.url ?? "/"}`, {
    method,
    headers,
    signal: gone.signal,
    ...(hasBody && { body: Buffer.concat(chunks) }),
  });
  const response = await serving.fetch(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body !== null) for await (const chunk of response.body) outgoing.write(chunk);
  outgoing.end();
}

listener.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`));
