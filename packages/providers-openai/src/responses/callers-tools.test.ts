import type { HostedTool, JsonValue } from "@bailiwick/core/provider";
import { expect, test } from "vitest";
import { openai, shell } from "../index.ts";
import { user } from "./responses.fixture.ts";

const hosted = (args: Readonly<Record<string, JsonValue>> & { readonly type: string }): HostedTool => ({
  type: "hosted",
  provider: "openai",
  name: args.type,
  args,
  sideEffectClass: "external-stateful",
});

/** Answers with these items, and counts the requests. */
function answering(output: readonly object[]) {
  const asked = { count: 0 };
  const model = openai("gpt-5.5", {
    apiKey: "k",
    baseURL: "http://127.0.0.1:1",
    fetch: () => {
      asked.count += 1;
      return Promise.resolve(Response.json({ id: "r", status: "completed", model: "gpt-5.5", output }));
    },
  });
  return { model, asked };
}

test("a vendor's tool whose calls the caller runs is refused before the request [providers.openai-responses.callers-tools]", async () => {
  for (const args of [
    { type: "apply_patch" },
    { type: "local_shell" },
    { type: "computer" },
    { type: "computer_use_preview", display_width: 800, display_height: 600, environment: "browser" },
    { type: "shell", environment: { type: "local" } },
    { type: "tool_search", execution: "client" },
  ]) {
    const { model, asked } = answering([]);
    const refused = model.generate({ messages: [user("Hi")], tools: [hosted(args)] });
    await expect(refused).rejects.toMatchObject({ code: "INVALID_HOSTED_TOOL" });
    expect(asked.count).toBe(0);
  }
  const { model, asked } = answering([]);
  await model.generate({ messages: [user("Hi")], tools: [shell(), hosted({ type: "tool_search" })] });
  expect(asked.count).toBe(1);
});

test("items of a type that is not known are kept and leave one warning for each type [providers.rule.unknown-content]", async () => {
  const text = { type: "message", content: [{ type: "output_text", text: "Hello." }] };
  const { model } = answering([
    { type: "hologram", id: "h1" },
    { type: "hologram", id: "h2" },
    { type: "web_search_call", id: "w" },
    text,
  ]);
  const { warnings, message } = await model.generate({ messages: [user("Hi")] });
  expect(warnings.map(({ code, subject }) => [code, subject])).toEqual([["unknown_content", "hologram"]]);
  expect(message.content.filter(({ type }) => type === "hosted_tool")).toHaveLength(3);
});
