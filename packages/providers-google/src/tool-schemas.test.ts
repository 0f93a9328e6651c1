import { readdirSync, readFileSync } from "node:fs";
import type { FunctionToolDefinition, JsonSchema, ModelProvider, ToolDefinition } from "@bailiwick/core";
import { anthropic } from "@bailiwick/providers-anthropic";
import { openai } from "@bailiwick/providers-openai";
import { modelServer, type ChatServer, type ModelServerOptions } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { google } from "./index.ts";
import { schemaMatrix } from "./tool-schemas.fixture.ts";

type At = (vendor: "openai" | "anthropic" | "google") => string;
const apiKey = "test";
const targets: Readonly<Record<string, (at: At) => ModelProvider>> = {
  Responses: (at) => openai("gpt-5.5", { apiKey, baseURL: at("openai") }),
  Chat: (at) => openai("gpt-4.1", { api: "chat", apiKey, baseURL: at("openai") }),
  Anthropic: (at) => anthropic("claude-sonnet-4-5", { apiKey, baseURL: at("anthropic") }),
  Gemini: (at) => google("gemini-3-pro", { apiKey, baseURL: at("google") }),
  "Gemini, schemas of OpenAPI": (at) =>
    google("gemini-2.5-flash", { apiKey, baseURL: at("google"), openApiSchemas: true }),
  moonshot: (at) => openai("kimi-k3", { compat: "moonshot", apiKey, baseURL: at("openai") }),
  openrouter: (at) => openai("moonshotai/kimi-k3", { compat: "openrouter", apiKey, baseURL: at("openai") }),
  groq: (at) => openai("openai/gpt-oss-120b", { compat: "groq", apiKey, baseURL: at("openai") }),
  llamacpp: (at) => openai("qwen3.5", { compat: "llamacpp", apiKey, baseURL: at("openai") }),
  lmstudio: (at) => openai("qwen3.5", { compat: "lmstudio", apiKey, baseURL: at("openai") }),
};
const servers: readonly string[] = ["moonshot", "openrouter", "groq", "llamacpp", "lmstudio"];
/** The strict server of a target: a named one has further rules. */
const serverOf = (name: string): ModelServerOptions => (servers.includes(name) ? { server: name as ChatServer } : {});
const hi = { messages: [{ id: "u", role: "user", content: "Hi" } as const] };
const toolOf = (schema: JsonSchema, strict: boolean | undefined): FunctionToolDefinition => ({
  type: "function",
  name: "use",
  description: "Uses.",
  inputSchema: schema,
  strict,
});

/** Strict and not: in turn, or both for each shape in `pnpm test:whole`. */
const strictness = (turn: number): readonly (true | undefined)[] =>
  process.env["BAILIWICK_WHOLE"] === undefined ? [turn % 2 === 0 ? undefined : true] : [undefined, true];

for (const [at, [name, make]] of Object.entries(targets).entries()) {
  test(`${name} accepts a tool of any schema shape, strict or not [providers.rule.tool-schemas.matrix]`, async () => {
    await using server = await modelServer(() => "ok", serverOf(name));
    const model = make((vendor) => server.baseURL(vendor));
    const refused: string[] = [];
    let asked = 0;
    for (const [index, [shape, schema]] of schemaMatrix.entries()) {
      for (const strict of strictness(index + at)) {
        asked += 1;
        await model.generate({ ...hi, tools: [toolOf(schema, strict)] }).catch((error: unknown) => {
          refused.push(`${shape}${strict === true ? " (strict)" : ""}: ${String(error)}`);
        });
      }
    }
    expect(refused).toEqual([]);
    expect(server.requests).toHaveLength(asked);
  });
}

const folder = new URL("../fixtures/mcp-tools/", import.meta.url);
const recorded = readdirSync(folder).map(
  (file) =>
    JSON.parse(readFileSync(new URL(file, folder), "utf8")) as {
      readonly server: string;
      readonly tools: readonly {
        readonly name: string;
        readonly description?: string;
        readonly inputSchema: JsonSchema;
      }[];
    },
);

for (const [name, make] of Object.entries(targets)) {
  test(`${name} accepts the tools that public MCP servers list [providers.rule.tool-schemas.mcp]`, async () => {
    expect(recorded.length).toBeGreaterThanOrEqual(10);
    await using server = await modelServer(() => "ok", serverOf(name));
    const model = make((vendor) => server.baseURL(vendor));
    const refused: string[] = [];
    for (const { server: from, tools } of recorded) {
      const offered = tools.map((tool): ToolDefinition => ({
        ...toolOf(tool.inputSchema, undefined),
        name: tool.name,
        description: tool.description ?? "",
      }));
      await model
        .generate({ ...hi, tools: offered })
        .catch((error: unknown) => refused.push(`${from}: ${String(error)}`));
    }
    expect(refused).toEqual([]);
  });
}
