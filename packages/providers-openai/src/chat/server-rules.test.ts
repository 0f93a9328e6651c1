import type { ContentPart, JsonSchema, ModelRequest } from "@bailiwick/core";
import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { jsonAt } from "@bailiwick/testing";
import { modelServer, type ChatServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { compat, openai } from "../index.ts";
import { look, user } from "./chat.fixture.ts";

// OpenAI's models have separate tests, and Azure behaves like OpenAI.
const servers = Object.keys(compat).filter((name): name is ChatServer => name !== "azure" && name !== "openai");
const models = [
  "some-model",
  "openai/gpt-oss-120b",
  "llama-3.3-70b-versatile",
  "qwen/qwen3-32b",
  "grok-4-1-fast",
  "grok-4.3",
];
const choices: readonly ModelRequest["toolChoice"][] = [undefined, "auto", "required", { toolName: "look" }];
const reasonings: readonly ModelRequest["reasoning"][] = [
  undefined,
  { enabled: false },
  { enabled: true, effort: "minimal" },
  { enabled: true, effort: "high" },
];
const output = { name: "answer", schema: { type: "object", properties: { city: { type: "string" } } } } as const;
const beginnings = [
  ["image/png", "iVBORw0KGgo="],
  ["image/webp", "UklGRgAAAABXRUJQ"],
  ["image/gif", "R0lGODlhAQABAAAAADs="],
] as const;
const pictures: readonly ContentPart[] = beginnings.map(([mimeType, data]) => ({ type: "image", mimeType, data }));

test.each(servers)(
  "each setting and image is sent to %s in the form that it accepts [providers.openai-chat.compat.refused]",
  async (name) => {
    await using server = await modelServer(() => '{"city":"Oslo"}', { server: name });
    const baseURL = server.baseURL("openai");
    for (const id of models) {
      const model = openai(id, { api: "chat", compat: name, apiKey: "test", baseURL });
      const asked = compileHistory(
        [
          { id: "s", role: "system", content: "Be brief." },
          { id: "i", role: "user", content: pictures },
          { id: "t", role: "system", content: "Be kind." },
          user("So?"),
        ],
        historyTarget(model),
      ).messages;
      for (const toolChoice of choices)
        for (const reasoning of reasonings)
          await model.generate({ messages: asked, tools: [look], toolChoice, reasoning });
      await model.generate({ messages: asked, output });
    }
    expect(server.requests.map(({ refusedBy }) => refusedBy).filter((id) => id !== undefined)).toEqual([]);
    expect(server.requests.length).toBe(models.length * (choices.length * reasonings.length + 1));
  },
);

test("strict is sent with the schema of an answer only if the schema has the form of strict mode [providers.openai-chat.compat.strict-output]", async () => {
  const sent = async (schema: JsonSchema): Promise<unknown> => {
    await using server = await modelServer(() => '{"city":"Oslo"}', { server: "groq" });
    const model = openai("openai/gpt-oss-120b", {
      compat: "groq",
      apiKey: "test",
      baseURL: server.baseURL("openai"),
    });
    await model.generate({ messages: [user("So?")], output: { name: "answer", schema } });
    return jsonAt([server.requests[0]?.body], 0, "response_format", "json_schema");
  };
  expect(await sent(output.schema)).toMatchObject({
    strict: true,
    schema: { required: ["city"], additionalProperties: false },
  });
  const open = { type: "object", additionalProperties: { type: "string" } } as const;
  expect(await sent(open)).toMatchObject({ strict: false, schema: open });
});
