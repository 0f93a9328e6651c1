import type { Message, ModelRequest } from "@bailiwick/core";
import { expect, test } from "vitest";
import { compat, type Compat, type CompatName } from "../compat.ts";
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

test("Mistral gets an answer between a tool's result and a user message [providers.openai-chat.compat.roles]", async () => {
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

test("A call is forced only where the server takes that with thinking, and thinking has the server's switch [providers.openai-chat.compat.thinking]", async () => {
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

test("What differs by model behind a server is sent as that model takes it [providers.openai-chat.compat.models]", async () => {
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

test("An address of an image goes only to a server that fetches it [providers.openai-chat.compat.image-urls]", async () => {
  const messages: readonly Message[] = [
    user("Look"),
    { id: "x", role: "user", content: [{ type: "image", url: "https://example.com/a.png" }] },
  ];
  for (const name of ["ollama", "lmstudio", "moonshot"] as const) {
    expect(JSON.stringify((await asked(name, { messages })).body)).toContain("fetches no addresses");
  }
  expect(JSON.stringify((await asked("groq", { messages }, "m")).body)).toContain("image_url");
});

test("The page of servers lists each record, with the page that the record follows [providers.openai-chat.compat.table]", async () => {
  const row = ([name, record]: readonly [string, Compat]): string => {
    const native = record.api === "responses";
    const works = [
      record.tools === false ? undefined : "tools",
      record.images ? (record.imageUrls === false ? "images as data" : "images") : undefined,
      record.structuredOutput === "none" ? undefined : `JSON Schema ${record.structuredOutput.replace("-", " ")}`,
      record.reasoning === "none" ? (record.thinkingSwitch ? "thinking on and off" : undefined) : "reasoning effort",
      record.echoReasoning ? "reasoning goes back" : undefined,
    ];
    const repaired = [
      native ? undefined : "files other than PDF",
      record.imageUrls === false ? "image addresses become text" : undefined,
      record.systemMessages === "one" ? "one system message" : undefined,
      record.userAfterTool === false ? "answer between result and user" : undefined,
      record.namedToolChoice === false ? "named tool is offered alone" : undefined,
      record.toolCallId.pattern ? "call ids" : undefined,
      record.structuredOutput === "none" ? "final-answer tool for `output`" : undefined,
      record.forcedChoice === "without-thinking" ? "forced call without thinking" : undefined,
    ];
    const refused = [
      record.tools === false ? "tools" : undefined,
      record.images ? undefined : "images",
      record.forcedChoice === "never" ? "forced calls" : undefined,
      record.parallelToolCalls ? undefined : "`parallelToolCalls`",
      record.strictTools ? undefined : "strict tools",
    ];
    const cell = (words: readonly (string | undefined)[]): string =>
      words.filter((word) => word !== undefined).join(", ") || "none";
    return `| \`${name}\` | ${cell(works)} | ${cell(repaired)} | ${cell(refused)} | [page](${record.page ?? ""}) |`;
  };
  const entries: readonly (readonly [string, Compat])[] = Object.entries(compat);
  expect(entries.filter(([, { page }]) => page === undefined)).toEqual([]);
  const page = `# Model servers

\`openai()\` speaks to each of these servers by its name: \`openai("some-model", { compat: "groq" })\`. The table is made from
the records of the code. A setting or a part that is repaired or refused comes with a warning in the answer.

| name | works | repaired | refused | source |
| --- | --- | --- | --- | --- |
${entries.map(row).join("\n")}

Other models behind a server may take less. Say so in \`capabilities\`, or spread a record and change a field:
\`compat: { ...compat.vllm, images: false }\`.
`;
  await expect(page).toMatchFileSnapshot("../../../../docs/guides/model-servers.md");
});
