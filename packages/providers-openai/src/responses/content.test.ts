import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { type Message, type ToolDefinition } from "@bailiwick/core";
import { collectChunks, finishedResponse, jsonAt, type ScriptStep } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { codeInterpreter, customTool, fileSearch, imageGeneration, mcp, openai, shell, webSearch } from "../index.ts";
import { listAt } from "../replay.fixture.ts";
import { bodies, look, secondInput, user } from "./responses.fixture.ts";

const hostedItems = [
  { id: "ws_1", type: "web_search_call", status: "completed", action: { type: "search", query: "news" } },
  {
    id: "fs_1",
    type: "file_search_call",
    status: "completed",
    queries: ["bill"],
    results: [{ file_id: "file_1", text: "42" }],
  },
  {
    id: "ci_1",
    type: "code_interpreter_call",
    status: "completed",
    code: "1+1",
    container_id: "cntr_1",
    outputs: [{ type: "logs", logs: "2" }],
  },
  { id: "mcpl_1", type: "mcp_list_tools", server_label: "crm", tools: [] },
  { id: "mcp_1", type: "mcp_call", server_label: "crm", name: "find", arguments: "{}", output: "Ann" },
  { id: "sh_1", type: "shell_call", call_id: "call_sh", status: "completed", action: { commands: ["ls"] } },
  {
    id: "sho_1",
    type: "shell_call_output",
    call_id: "call_sh",
    status: "completed",
    output: [{ stdout: "a", stderr: "", outcome: { type: "exit", exit_code: 0 } }],
  },
  { id: "future_1", type: "something_new", data: { of: "tomorrow" } },
];

test("outputs are text or a list with images and files; errors are marked in the text [providers.openai-responses.tool-output] [tool.return.content-parts]", async () => {
  const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;
  const file = {
    type: "file",
    data: new Uint8Array([37, 80, 68, 70]),
    mimeType: "application/pdf",
    filename: "a.pdf",
  } as const;
  const step: ScriptStep = { toolCalls: ["1", "2", "3"].map((id) => ({ name: "look", arguments: { id } })) };
  const input = await secondInput(step, (messages) =>
    messages.map((message, index): Message => {
      if (message.role !== "tool") return message;
      if (index === 2) return { ...message, content: [{ type: "text", text: "See:" }, image, file] };
      return index === 3 ? { ...message, content: "No such order.", isError: true } : message;
    }),
  );
  expect(input.slice(-3).map(({ output }) => output)).toEqual([
    [
      { type: "input_text", text: "See:" },
      { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=", detail: "auto" },
      { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERg==" },
    ],
    "Error: No such order.",
    "found",
  ]);
});

test("hosted calls and items of unknown types are sent back unchanged [providers.openai-responses.hosted-tools] [providers.rule.unknown-events]", async () => {
  const step: ScriptStep = {
    parts: [...hostedItems.map((value) => ({ type: "raw" as const, value })), { type: "text", text: "Done." }],
  };
  const input = await secondInput(step, (messages) => [...messages, user("And?")]);
  expect(input.slice(1, 1 + hostedItems.length)).toEqual(hostedItems);
});

test("helpers declare the tool's effect, and the vendor's settings are sent unchanged [providers.openai-responses.hosted-tools] [hosted.side-effect-class]", async () => {
  const tools = [
    webSearch({ search_context_size: "low" }),
    fileSearch({ vector_store_ids: ["vs_1"] }),
    codeInterpreter(),
    imageGeneration(),
    mcp({ server_label: "crm", server_url: "https://mcp.example.com" }),
    shell(),
  ];
  expect(tools.map(({ sideEffectClass }) => sideEffectClass)).toEqual([
    "read-only",
    "read-only",
    "side-effecting",
    "read-only",
    "external-stateful",
    "external-stateful",
  ]);
  const {
    bodies: [body],
  } = await bodies([], [{ tools: [look, ...tools], toolChoice: { toolName: "web_search" } }]);
  expect(listAt(body, "tools").map(({ type }) => type)).toEqual([
    "function",
    "web_search",
    "file_search",
    "code_interpreter",
    "image_generation",
    "mcp",
    "shell",
  ]);
  expect(body).toMatchObject({
    tool_choice: { type: "web_search" },
    tools: [
      {},
      { search_context_size: "low" },
      {},
      { container: { type: "auto" } },
      {},
      { require_approval: "always" },
      {},
    ],
  });
  expect(body?.["include"]).toEqual(
    expect.arrayContaining(["web_search_call.action.sources", "file_search_call.results"]),
  );
});

test("the vendor asks before each call of an MCP server except readers, and tools that run without asking must be declared [hosted.vendor-approval]", async () => {
  const server = { server_label: "crm", server_url: "https://mcp.example.com" };
  const cases: readonly [given: Partial<Parameters<typeof mcp>[0]>, sent: unknown, asks: boolean, effect: string][] = [
    [{}, "always", true, "external-stateful"],
    [{ reads: [] }, "always", true, "external-stateful"],
    [{ reads: ["find"] }, { never: { tool_names: ["find"] } }, true, "external-stateful"],
    [{ reads: "annotated" }, { never: { read_only: true } }, true, "external-stateful"],
    [{ reads: ["find"], allowed_tools: ["find"] }, { never: { tool_names: ["find"] } }, true, "read-only"],
    [
      { reads: ["find"], allowed_tools: ["find", "pay"] },
      { never: { tool_names: ["find"] } },
      true,
      "external-stateful",
    ],
    [{ require_approval: "always" }, "always", true, "external-stateful"],
    [{ require_approval: null }, "always", true, "external-stateful"],
    [{ require_approval: "never" }, "never", false, "external-stateful"],
    [{ require_approval: {} }, {}, true, "external-stateful"],
    [{ require_approval: { never: { read_only: true } } }, { never: { read_only: true } }, true, "external-stateful"],
    [
      { require_approval: { never: { tool_names: ["pay"] } } },
      { never: { tool_names: ["pay"] } },
      false,
      "external-stateful",
    ],
    [
      { require_approval: { always: { tool_names: ["pay"] } } },
      { always: { tool_names: ["pay"] } },
      false,
      "external-stateful",
    ],
  ];
  for (const [given, sent, asks, effect] of cases) {
    const tool = mcp({ ...server, ...given });
    expect([tool.asksApproval, tool.sideEffectClass], JSON.stringify(given)).toEqual([asks, effect]);
    const {
      bodies: [body],
    } = await bodies([], [{ tools: [tool] }]);
    expect(listAt(body, "tools")).toEqual([
      expect.objectContaining({ type: "mcp", server_label: "crm", require_approval: sent }),
    ]);
    expect(listAt(body, "tools")[0]).not.toHaveProperty("reads");
  }
  expect(() => mcp({ ...server, reads: ["find"], require_approval: "never" })).toThrow(
    expect.objectContaining({ code: "INVALID_HOSTED_TOOL" }),
  );
});

test("a hosted call that needs approval is answered with the decision [providers.openai-responses.hosted-tools] [people.when]", async () => {
  const request = {
    id: "mcpr_1",
    type: "mcp_approval_request",
    server_label: "crm",
    name: "pay",
    arguments: '{"eur":5}',
  };
  const input = await secondInput({ parts: [{ type: "raw", value: request }] }, (messages) => {
    const [part] = messages[1]?.role === "assistant" ? messages[1].content : [];
    expect(part).toMatchObject({ type: "hosted_tool", toolName: "mcp:pay", approvalRequestId: "mcpr_1" });
    return [
      ...messages,
      {
        id: "d",
        role: "tool",
        toolCallId: "mcpr_1",
        toolName: "mcp:pay",
        content: "",
        hostedApproval: { approved: false, reason: "Too much." },
      },
    ];
  });
  expect(input.slice(1)).toEqual([
    request,
    { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: false, reason: "Too much." },
  ]);
});

test("a custom tool's free text runs the tool of that name, and is sent back unchanged [providers.openai-responses.hosted-tools]", async () => {
  const sql: ToolDefinition = { ...look, name: "sql.query" };
  const tools = [sql, customTool({ name: "sql.query", description: "SQL" })];
  await using server = await modelServer(({ turn, tools: offered }) =>
    turn === 0 ? { toolCalls: [{ name: offered[0]?.name ?? "", arguments: 'SELECT "a"\n', custom: true }] } : "Done.",
  );
  const model = openai("gpt-5.5", { apiKey: "test", baseURL: server.baseURL("openai") });
  const { chunks } = await collectChunks(model.stream({ messages: [user("Hi")], tools }));
  const { message } = finishedResponse(chunks);
  expect(message.toolCalls).toMatchObject([{ name: "sql.query", input: { input: 'SELECT "a"\n' } }]);
  const written = chunks.map((chunk) => (chunk.type === "tool_call_delta" ? chunk.argumentsDelta : "")).join("");
  expect(JSON.parse(written)).toEqual({ input: 'SELECT "a"\n' });
  const id = message.toolCalls[0]?.id ?? "";
  const messages: Message[] = [
    user("Hi"),
    message,
    { id: "t", role: "tool", toolCallId: id, toolName: "sql.query", content: "1 row" },
  ];
  await model.generate({ messages: compileHistory(messages, historyTarget(model)).messages, tools });
  expect(server.requests[1]?.refusedBy).toBeUndefined();
  const sent = jsonAt(server.requests[1]?.body, "tools");
  expect(listAt(server.requests[1]?.body, "input").slice(1)).toMatchObject([
    { type: "custom_tool_call", input: 'SELECT "a"\n' },
    { type: "custom_tool_call_output", output: "1 row" },
  ]);
  expect(sent).toMatchObject([{ type: "custom" }]);
});

test("a generated image is a file of the answer, and is sent back with its data [providers.rule.images]", async () => {
  const input = await secondInput(
    { files: [{ mediaType: "image/png", data: "iVBORw0KGgo=" }], text: "Here." },
    (messages) => [...messages, user("Bluer.")],
  );
  expect(input[2]).toMatchObject({
    type: "image_generation_call",
    result: "iVBORw0KGgo=",
    id: expect.stringMatching(/^ig_/) as string,
  });
});

test("images and files are sent in every supported form [providers.rule.images] [messages.content-part.data-and-url] [messages.image-url-in-data]", async () => {
  const content = [
    { type: "image", url: "https://example.com/a.png" },
    { type: "image", data: "https://example.com/b.png" },
    { type: "image", data: "data:image/gif;base64,R0lGOD" },
    { type: "image", data: new Uint8Array([255, 216, 255]) },
    { type: "file", url: "https://example.com/a.pdf", mimeType: "application/pdf" },
  ] as const;
  const {
    bodies: [body],
  } = await bodies([], [{ messages: [{ id: "u", role: "user", content }] }]);
  expect(listAt(body, "input", 0, "content").map((part) => part["image_url"] ?? part["file_url"])).toEqual([
    "https://example.com/a.png",
    "https://example.com/b.png",
    "data:image/gif;base64,R0lGOD",
    "data:image/jpeg;base64,/9j/",
    "https://example.com/a.pdf",
  ]);
});
