import type { Message, ModelRequest } from "@bailiwick/core";
import { expect, test } from "vitest";
import type { CompatName } from "../server-record.ts";
import { bodies, look, user } from "./chat.fixture.ts";

const asked = async (name: CompatName, request: Partial<ModelRequest>, model = "some-model") => {
  const sent = await bodies([request], model, { compat: name });
  return { body: sent.bodies[0] ?? {}, warnings: (sent.answers[0]?.warnings ?? []).map(({ subject }) => subject) };
};
const roles = (body: Record<string, unknown>): unknown =>
  (body["messages"] as readonly { readonly role: string }[]).map(({ role }) => role);
const system = (content: string): Message => ({ id: content, role: "system", content });
const answered: readonly Message[] = [
  user("Hi"),
  {
    id: "a",
    role: "assistant",
    content: [{ type: "tool_call", toolCallId: "abc123def" }],
    toolCalls: [{ id: "abc123def", name: "look", arguments: "{}" }],
    finishReason: "tool_calls",
    provenance: { provider: "other", api: "chat", model: "m" },
  },
  { id: "r", role: "tool", toolCallId: "abc123def", toolName: "look", content: "found" },
  user("And?"),
];

test("Mistral gets an assistant message between a tool's result and a user message [providers.openai-chat.compat.roles]", async () => {
  expect(roles((await asked("mistral", { messages: answered })).body)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
    "user",
  ]);
  expect(roles((await asked("groq", { messages: answered })).body)).toEqual(["user", "assistant", "tool", "user"]);
});

test("Servers that render chat templates get one system message, at the beginning [providers.openai-chat.compat.roles]", async () => {
  const messages = [system("One."), system("Two."), user("Hi"), system("Three.")];
  for (const name of ["vllm", "sglang", "llamacpp", "lmstudio", "alibaba"] as const) {
    const { body } = await asked(name, { messages });
    expect([name, roles(body)]).toEqual([name, ["system", "user", "user"]]);
    expect(JSON.stringify(body["messages"])).toContain("One.\\n\\nTwo.");
  }
});

test("A call is forced only if the server accepts that with thinking, and thinking has the server's switch [providers.openai-chat.compat.thinking]", async () => {
  const forced = { tools: [look], toolChoice: "required" } as const;
  for (const name of ["deepseek", "moonshot"] as const) {
    expect((await asked(name, forced)).body).toMatchObject({ tool_choice: "required", thinking: { type: "disabled" } });
    const thinking = await asked(name, { ...forced, reasoning: { enabled: true } });
    expect(thinking.body).toMatchObject({ tool_choice: "auto", thinking: { type: "enabled" } });
    expect(thinking.warnings).toEqual(["toolChoice"]);
  }
  expect((await asked("zai", forced)).body).toMatchObject({ tool_choice: "auto" });
  const off = { reasoning: { enabled: false } };
  expect((await asked("alibaba", off)).body).toMatchObject({ enable_thinking: false });
  expect((await asked("vllm", off)).body).toMatchObject({ chat_template_kwargs: { enable_thinking: false } });
});

test("A setting that differs by the model behind a server is sent in that model's form [providers.openai-chat.compat.models]", async () => {
  const effort = { reasoning: { enabled: true, effort: "max" } } as const;
  expect((await asked("groq", effort, "openai/gpt-oss-120b")).body).toMatchObject({ reasoning_effort: "high" });
  const llama = await asked(
    "groq",
    { ...effort, output: { name: "o", schema: { type: "object", properties: {} } } },
    "llama-3.3-70b-versatile",
  );
  expect(llama.body).not.toHaveProperty("reasoning_effort");
  expect(llama.body).not.toHaveProperty("response_format");
  expect(llama.warnings).toEqual(expect.arrayContaining(["reasoning", "output"]));
  const tools = await asked("perplexity", { tools: [look] });
  expect(tools.body).not.toHaveProperty("tools");
  expect(tools.warnings).toEqual(["tools"]);
});

test("An image address is sent only to a server that fetches it [providers.openai-chat.compat.image-urls]", async () => {
  const messages: readonly Message[] = [
    user("Look"),
    { id: "x", role: "user", content: [{ type: "image", url: "https://example.com/a.png" }] },
  ];
  for (const name of ["ollama", "lmstudio", "moonshot"] as const) {
    expect(JSON.stringify((await asked(name, { messages })).body)).toContain("fetches no addresses");
  }
  expect(JSON.stringify((await asked("groq", { messages }, "m")).body)).toContain("image_url");
});
