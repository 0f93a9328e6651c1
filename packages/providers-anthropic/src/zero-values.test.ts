import { expect, test } from "vitest";
import type { ModelResponse } from "@bailiwick/core";
import { replaying } from "./replay.fixture.ts";

/** The values that servers write in a field that has no value: most are the zero values of Go. */
const zeros: readonly unknown[] = [null, "", [], {}, { type: "", message: "", code: 0 }];

type Json = Readonly<Record<string, unknown>>;

/** The object at a path of an answer. */
function objectAt(answer: Json, path: readonly string[]): Record<string, unknown> | undefined {
  return path.reduce<unknown>((value, step) => (value as Json | undefined)?.[step], answer) as
    | Record<string, unknown>
    | undefined;
}

const answerWith = (block: Json, reason: string): Json => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-opus-5",
  content: [block],
  stop_reason: reason,
  usage: { input_tokens: 1, output_tokens: 2 },
});
const answers = [
  answerWith({ type: "text", text: "Sunny." }, "end_turn"),
  answerWith({ type: "tool_use", id: "t1", name: "look", input: { id: "1" } }, "tool_use"),
];
const optional: readonly (readonly [readonly string[], readonly string[]])[] = [
  [[], ["error", "stop_sequence", "container", "context_management", "stop_details"]],
  [
    ["content", "0"],
    ["citations", "caller"],
  ],
  [["usage"], ["cache_creation", "server_tool_use", "service_tier", "iterations", "cache_read_input_tokens"]],
];

function ask(answer: Json): Promise<ModelResponse> {
  const tools = [{ type: "function", name: "look", description: "Looks.", inputSchema: { type: "object" } }] as const;
  return replaying("claude-opus-5", {}, new TextEncoder().encode(JSON.stringify(answer))).generate({
    messages: [{ id: "u", role: "user", content: "Hi" }],
    tools,
  });
}

test("the zero value of an optional field is its absence [providers.rule.zero-values]", async () => {
  for (const answer of answers) {
    const { message, usage, warnings } = await ask(answer);
    const ids = message.id.length === 36 ? { id: expect.any(String) as string } : {};
    for (const [path, names] of optional) {
      for (const name of names.filter((one) => !Object.hasOwn(objectAt(answer, path) ?? { [one]: 1 }, one))) {
        for (const value of zeros) {
          const changed = structuredClone(answer);
          Object.assign(objectAt(changed, path) ?? {}, { [name]: value });
          const read = await ask(changed).catch((error: unknown) => error);
          expect({ path, name, value, read }).toMatchObject({
            path,
            name,
            value,
            read: {
              message: { ...message, ...ids, usage: expect.anything() as unknown },
              usage: { ...usage, providerMetrics: expect.anything() as unknown },
              warnings,
            },
          });
        }
      }
    }
  }
});
