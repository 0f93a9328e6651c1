import type { JsonSchema, ToolDefinition } from "@bailiwick/core";
import { collectChunks, finishedResponse, jsonAt } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { openai } from "./index.ts";

const look: ToolDefinition = {
  type: "function",
  name: "look",
  description: "Looks.",
  inputSchema: { type: "object", properties: {} },
};
const cities: JsonSchema = {
  type: "array",
  items: { $ref: "#/$defs/city" },
  $defs: { city: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
};
const answers = [
  {
    schema: cities,
    written: '{"value":[{"name":"Oslo"},{"name":"Bergen}"}]}',
    read: '[{"name":"Oslo"},{"name":"Bergen}"}]',
  },
  { schema: { type: "string" }, written: '{ "value": "a } b" }', read: '"a } b"' },
  {
    schema: { anyOf: [{ type: "object", properties: { a: { type: "number" } } }, { type: "null" }] },
    written: '{"value":{"a":1}}',
    read: '{"a":1}',
  },
  {
    schema: { type: "object", properties: { value: { type: "string" } }, required: ["value"] },
    written: '{"value":"x"}',
    read: '{"value":"x"}',
  },
];

for (const api of ["responses", "chat"] as const) {
  test(`${api}: answers of any shape work with tools, streamed or not, and the wrapper is invisible [providers.rule.structured-output]`, async () => {
    for (const { schema, written, read } of answers) {
      await using server = await modelServer([
        { text: written },
        { text: written, deltas: [...written] },
        { text: written },
      ]);
      const model = openai("gpt-5.5", { api, apiKey: "test", baseURL: server.baseURL("openai") });
      const request = {
        messages: [{ id: "u", role: "user", content: "Cities?" }] as const,
        tools: [look],
        output: { name: "cities", schema },
      };
      expect((await model.generate(request)).message.content).toMatchObject([{ type: "text", text: read }]);
      for (const stream of [model.stream(request), model.stream(request)]) {
        const { chunks, error } = await collectChunks(stream);
        expect(error).toBeUndefined();
        expect(finishedResponse(chunks).message.content).toMatchObject([{ type: "text", text: read }]);
        expect(chunks.map((chunk) => (chunk.type === "text" ? chunk.text : "")).join("")).toBe(read);
      }
      expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual([undefined, undefined, undefined]);
      const format =
        api === "responses"
          ? jsonAt(server.requests[0]?.body, "text", "format")
          : jsonAt(server.requests[0]?.body, "response_format", "json_schema");
      expect(jsonAt(format, "strict")).toBe(true);
    }
  });

  test(`${api}: a refusal instead of the wrapper's shape is shown unchanged [providers.rule.structured-output]`, async () => {
    await using server = await modelServer([{ text: "I will not say." }]);
    const model = openai("gpt-5.5", { api, apiKey: "test", baseURL: server.baseURL("openai") });
    const { chunks } = await collectChunks(
      model.stream({
        messages: [{ id: "u", role: "user", content: "Cities?" }],
        output: { name: "cities", schema: cities },
      }),
    );
    expect(chunks.map((chunk) => (chunk.type === "text" ? chunk.text : "")).join("")).toBe("I will not say.");
  });
}
