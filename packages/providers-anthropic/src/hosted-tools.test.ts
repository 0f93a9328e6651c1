import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { type Message, type ToolDefinition } from "@bailiwick/core";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { asked, blocksOf, look, result, shape, user, warned, type Sent } from "./ask.fixture.ts";
import {
  bash,
  codeExecution,
  mcp,
  memory,
  storedFile,
  textEditor,
  toolSearch,
  webFetch,
  webSearch,
  anthropicOptions,
} from "./index.ts";
import { framed, replaying } from "./replay.fixture.ts";

test("each helper declares its effect and the data that it sends [providers.anthropic.server-tools] [hosted.side-effect-class]", () => {
  const crm = { name: "crm", url: "https://mcp.example.com" };
  const tools = [
    webSearch(),
    webFetch(),
    codeExecution(),
    mcp(crm),
    mcp({ ...crm, reads: ["find"] }),
    mcp({ ...crm, reads: ["find"], allowedTools: ["find", "pay"] }),
    toolSearch(),
    bash(),
    textEditor(),
    memory(),
  ];
  expect(tools.map(({ name, sideEffectClass, asksApproval }) => [name, sideEffectClass, asksApproval])).toEqual([
    ["web_search", "read-only", undefined],
    ["web_fetch", "read-only", undefined],
    ["code_execution", "side-effecting", undefined],
    ["mcp:crm", "external-stateful", false],
    ["mcp:crm", "read-only", false],
    ["mcp:crm", "external-stateful", false],
    ["tool_search_tool_bm25", "read-only", undefined],
    ["bash", "pure", undefined],
    ["str_replace_based_edit_tool", "pure", undefined],
    ["memory", "pure", undefined],
  ]);
  // Only named tools are offered.
  expect(mcp({ ...crm, reads: ["find"] }).args).toMatchObject({
    default_config: { enabled: false },
    configs: { find: { enabled: true } },
  });
  expect(new Set(tools.map(({ provider }) => provider))).toEqual(new Set(["anthropic"]));
});

const events = (blocks: readonly object[], stop = "end_turn"): Uint8Array =>
  framed([
    { type: "message_start", message: { id: "msg_1", usage: { input_tokens: 1, output_tokens: 1 } } },
    ...blocks.flatMap((content_block, index) => [
      { type: "content_block_start", index, content_block },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: stop }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ]);

/** Receives an answer of blocks, and returns it with the blocks that the next request sends. */
async function roundTrip(
  blocks: readonly object[],
  after: (message: Message) => readonly Message[] = () => [user("Go on.")],
  tools: readonly ToolDefinition[] = [webSearch()],
  stop?: string,
) {
  const sent: Sent[] = [];
  const model = replaying("claude-opus-4-6", {}, events(blocks, stop), {}, sent);
  const { chunks } = await collectChunks(model.stream({ messages: [user("Hi")], tools }));
  const { message } = finishedResponse(chunks);
  const { messages } = compileHistory([user("Hi"), message, ...after(message)], historyTarget(model));
  await collectChunks(model.stream({ messages, tools }));
  return { message, chunks, sent: blocksOf(sent[1]), body: sent[1] };
}

const pairs: Readonly<Record<string, readonly [object, object]>> = {
  "web search": [
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "rain" } },
    {
      type: "web_search_tool_result",
      tool_use_id: "srvtoolu_1",
      content: [{ type: "web_search_result", url: "https://a.example", encrypted_content: "Ep" }],
    },
  ],
  "web fetch": [
    { type: "server_tool_use", id: "srvtoolu_2", name: "web_fetch", input: { url: "https://a.example" } },
    {
      type: "web_fetch_tool_result",
      tool_use_id: "srvtoolu_2",
      content: { type: "web_fetch_result", url: "https://a.example", content: { type: "document" } },
    },
  ],
  "code execution": [
    { type: "server_tool_use", id: "srvtoolu_3", name: "bash_code_execution", input: { command: "ls" } },
    {
      type: "bash_code_execution_tool_result",
      tool_use_id: "srvtoolu_3",
      content: { type: "bash_code_execution_result", stdout: "a", stderr: "", return_code: 0, content: [] },
    },
  ],
  "tool search": [
    { type: "server_tool_use", id: "srvtoolu_4", name: "tool_search_tool_bm25", input: { query: "orders" } },
    {
      type: "tool_search_tool_result",
      tool_use_id: "srvtoolu_4",
      content: {
        type: "tool_search_tool_search_result",
        tool_references: [{ type: "tool_reference", tool_name: "look" }],
      },
    },
  ],
  MCP: [
    { type: "mcp_tool_use", id: "mcptoolu_1", name: "find", server_name: "crm", input: { id: "1" } },
    { type: "mcp_tool_result", tool_use_id: "mcptoolu_1", is_error: false, content: [{ type: "text", text: "Ann" }] },
  ],
};

describe("server tools", () => {
  for (const [name, pair] of Object.entries(pairs)) {
    test(`a pair is sent back unchanged (${name}) [providers.anthropic.server-tools]`, async () => {
      const { message, sent } = await roundTrip([...pair, { type: "text", text: "So." }]);
      expect(message.content.map(({ type }) => type)).toEqual(["hosted_tool", "text"]);
      expect(sent.slice(1, 3)).toEqual(pair);
    });

    test(`an unpaired call or result is not sent (${name}) [providers.anthropic.server-tools]`, async () => {
      for (const half of pair) {
        const { sent } = await roundTrip([half, { type: "text", text: "So." }]);
        expect(sent.map(({ type }) => type)).toEqual(["text", "text", "text"]);
      }
    });
  }

  test("separated pairs keep their order [providers.anthropic.server-tools]", async () => {
    const [first, second] = [pairs["web search"] ?? [], pairs["web fetch"] ?? []];
    const blocks = [first[0], second[0], { type: "text", text: "Both." }, second[1], first[1]].filter(
      (block) => block !== undefined,
    );
    const { message, sent } = await roundTrip([...blocks, { type: "text", text: "So." }]);
    expect(sent.slice(1, 6)).toEqual(blocks);
    expect(
      message.content.flatMap((part) =>
        part.type === "hosted_tool" ? [[part.toolName, part.output !== undefined]] : [],
      ),
    ).toEqual([
      ["web_search", false],
      ["web_fetch", false],
      ["web_fetch", true],
      ["web_search", true],
    ]);
  });

  test("a call that waits for the agent's results stays open, and its result may arrive in the next answer [providers.anthropic.server-tools]", async () => {
    const [use, found] = pairs["web search"] ?? [];
    const own = { type: "tool_use", id: "toolu_1", name: "look", input: {} };
    const waiting = await roundTrip(
      [use ?? {}, own],
      () => [result("toolu_1", "here")],
      [webSearch(), look],
      "tool_use",
    );
    expect(shape(waiting.body)).toEqual([
      ["user", ["text"]],
      ["assistant", ["server_tool_use", "tool_use"]],
      ["user", ["tool_result"]],
    ]);
    const model = replaying("claude-opus-4-6", {}, events([found ?? {}, { type: "text", text: "So." }]));
    const { message: next } = finishedResponse((await collectChunks(model.stream({ messages: [user("Hi")] }))).chunks);
    const both = await roundTrip(
      [use ?? {}, own],
      () => [result("toolu_1", "here"), next, user("Go on.")],
      [webSearch(), look],
      "tool_use",
    );
    expect(shape(both.body)[3]).toEqual(["assistant", ["web_search_tool_result", "text"]]);
  });

  test("a second result of one call is not sent, and does not replace the first [providers.anthropic.server-tools]", async () => {
    const pair = pairs["web search"] ?? [];
    const again = { ...pair[1], content: [] };
    const { message, sent } = await roundTrip([...pair, again, { type: "text", text: "So." }]);
    expect(message.content).toMatchObject([
      { output: [{ url: "https://a.example" }] },
      { output: [] },
      { type: "text" },
    ]);
    expect(sent.map(({ type }) => type)).toEqual(["text", "server_tool_use", "web_search_tool_result", "text", "text"]);
  });

  test("a failed call is an error, and unknown blocks are sent back unchanged [providers.anthropic.server-tools]", async () => {
    const unknown = { type: "compaction", content: "Short.", encrypted_content: "Ep" };
    const { message, sent } = await roundTrip([
      unknown,
      pairs["web search"]?.[0] ?? {},
      {
        type: "web_search_tool_result",
        tool_use_id: "srvtoolu_1",
        content: { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" },
      },
      { type: "text", text: "So." },
    ]);
    expect(message.content).toMatchObject([
      { toolName: "compaction" },
      { toolName: "web_search", isError: true },
      { type: "text" },
    ]);
    expect(sent[1]).toEqual(unknown);
  });

  test("files created by the vendor's code execution are files of the answer, and are not sent back as its parts [messages.content-part]", async () => {
    const [use] = pairs["code execution"] ?? [];
    const made = {
      type: "bash_code_execution_tool_result",
      tool_use_id: "srvtoolu_3",
      content: {
        type: "bash_code_execution_result",
        stdout: "",
        content: [{ type: "bash_code_execution_output", file_id: "file_1" }],
      },
    };
    const { message, chunks, sent } = await roundTrip([use ?? {}, made, { type: "text", text: "So." }]);
    const file = storedFile("file_1", "application/octet-stream");
    expect(message.content[1]).toMatchObject(file);
    expect(chunks.flatMap((chunk) => (chunk.type === "file" ? [chunk.file] : []))).toEqual([message.content[1]]);
    expect(sent.map(({ type }) => type)).toEqual([
      "text",
      "server_tool_use",
      "bash_code_execution_tool_result",
      "text",
      "text",
    ]);
  });
});

test("tools are sent in the vendor's form, with the required betas in one header [providers.anthropic.server-tools] [providers.anthropic.beta-header]", async () => {
  const sent: Sent[] = [];
  const headers: Headers[] = [];
  const model = replaying(
    "claude-opus-4-6",
    { betas: ["a-1", "b-2"], headers: { "anthropic-beta": "c-3,a-1" } },
    events([]),
    {},
    sent,
    headers,
  );
  const tools = [
    look,
    { ...look, name: "orders.rare" },
    toolSearch({ shown: ["look"] }),
    webSearch({ max_uses: 2 }),
    mcp({ name: "crm", url: "https://mcp.example.com", authorizationToken: "t", allowedTools: ["find"] }),
  ];
  const messages = [user([storedFile("file_1", "application/pdf"), { type: "text", text: "Read." }])];
  await collectChunks(
    model.stream({
      messages,
      tools,
      providerOptions: anthropicOptions({ betas: ["d-4", "b-2"], contextManagement: { edits: [] } }),
    }),
  );
  expect(sent[0]?.["tools"]).toMatchObject([
    { name: "look" },
    { name: expect.stringMatching(/^orders_rare_/) as string, defer_loading: true },
    { type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" },
    { type: "web_search_20250305", name: "web_search", max_uses: 2 },
    {
      type: "mcp_toolset",
      mcp_server_name: "crm",
      default_config: { enabled: false },
      configs: { find: { enabled: true } },
    },
  ]);
  expect(sent[0]).not.toHaveProperty("tools.2.shown");
  expect(sent[0]).not.toHaveProperty("tools.4.server");
  expect(sent[0]?.["mcp_servers"]).toEqual([
    { type: "url", name: "crm", url: "https://mcp.example.com", authorization_token: "t" },
  ]);
  expect(blocksOf(sent[0])[0]).toEqual({ type: "document", source: { type: "file", file_id: "file_1" } });
  expect(headers[0]?.get("anthropic-beta")?.split(",")).toEqual([
    "c-3",
    "a-1",
    "b-2",
    "d-4",
    "mcp-client-2025-11-20",
    "files-api-2025-04-14",
    "context-management-2025-06-27",
  ]);
});

test("the agent's own tool runs a call that the vendor defines; another vendor's tools are not offered [providers.anthropic.server-tools]", async () => {
  const shell: ToolDefinition = { ...look, name: "bash" };
  const { bodies, answers } = await asked(
    [{ tools: [shell, bash(), { ...webSearch(), provider: "openai" }], toolChoice: { toolName: "bash" } }],
    "claude-sonnet-4-5",
    () => ({ toolCalls: [{ name: "bash", arguments: { command: "ls" } }] }),
  );
  expect(bodies[0]).toMatchObject({
    tools: [{ type: "bash_20250124", name: "bash" }],
    tool_choice: { type: "tool", name: "bash" },
  });
  expect(answers[0]?.message.toolCalls).toMatchObject([{ name: "bash", input: { command: "ls" } }]);
  expect(warned(answers[0])).toEqual([["unsupported_tool", "web_search"]]);
});

test("documents are cited if requested, and citations are sources [messages.content-part]", async () => {
  const citation = {
    type: "page_location",
    cited_text: "42",
    document_index: 0,
    document_title: "Bill",
    file_id: null,
    start_page_number: 1,
    end_page_number: 2,
  };
  const searched = { type: "search_result_location", source: "https://a.example", title: "A", cited_text: "x" };
  const sent: Sent[] = [];
  const model = replaying(
    "claude-opus-4-6",
    {},
    events([{ type: "text", text: "It is 42.", citations: [citation, searched] }]),
    {},
    sent,
  );
  const messages = [user([{ type: "file", data: "JVBERg==", mimeType: "application/pdf" }])];
  const { chunks } = await collectChunks(
    model.stream({ messages, providerOptions: anthropicOptions({ citations: true }) }),
  );
  expect(blocksOf(sent[0])[0]).toMatchObject({ type: "document", citations: { enabled: true } });
  const { message } = finishedResponse(chunks);
  expect(message.content).toMatchObject([
    { type: "text", text: "It is 42." },
    { type: "source", title: "Bill", documentId: "0" },
    { type: "source", title: "A", sourceId: "https://a.example" },
  ]);
  const { messages: again } = compileHistory([...messages, message, user("Sure?")], historyTarget(model));
  await collectChunks(model.stream({ messages: again }));
  expect(blocksOf(sent[1])[1]).toEqual({ type: "text", text: "It is 42.", citations: [citation, searched] });
});

test("a tool that the vendor only describes is refused before the request without the tool that runs it [providers.anthropic.described-tools]", async () => {
  const computer: ToolDefinition = {
    type: "hosted",
    provider: "anthropic",
    name: "computer",
    args: { type: "computer_20251124", name: "computer", display_width_px: 800, display_height_px: 600 },
    sideEffectClass: "pure",
  };
  for (const described of [bash(), textEditor(), memory(), computer]) {
    const sent: Sent[] = [];
    const model = replaying("claude-opus-5", {}, framed([]), {}, sent);
    const refused = model.generate({ messages: [user("Hi")], tools: [described] });
    await expect(refused).rejects.toMatchObject({ code: "INVALID_HOSTED_TOOL" });
    expect(sent).toEqual([]);
  }
  const runs = { ...look, name: "computer" };
  const { bodies } = await asked([{ messages: [user("Hi")], tools: [computer, runs] }]);
  expect(bodies[0]?.["tools"]).toMatchObject([computer.args]);
});

test("blocks of a type that is not known are kept and leave one warning for each type [providers.rule.unknown-content]", async () => {
  const blocks = [
    { type: "hologram", id: "h" },
    { type: "hologram", id: "i" },
    { type: "text", text: "Hi" },
  ];
  const body = {
    id: "m",
    type: "message",
    role: "assistant",
    model: "claude-opus-5",
    content: blocks,
    stop_reason: "end_turn",
    usage: {},
  };
  const model = replaying("claude-opus-5", {}, new TextEncoder().encode(JSON.stringify(body)));
  const { warnings, message } = await model.generate({ messages: [user("Hi")] });
  expect(warnings.map(({ code, subject }) => [code, subject])).toEqual([["unknown_content", "hologram"]]);
  expect(message.content.map(({ type }) => type)).toEqual(["hosted_tool", "hosted_tool", "text"]);
});
