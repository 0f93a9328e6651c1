import {
  answerText,
  compileHistory,
  historyTarget,
  type Message,
  type ModelRequest,
  type ToolDefinition,
} from "@bailiwick/core";
import { modelServer, type ScriptStep } from "@bailiwick/testing";
import { expect, test } from "vitest";
import {
  codeInterpreter,
  customTool,
  fileSearch,
  imageGeneration,
  mcp,
  openai,
  openaiOptions,
  shell,
  webSearch,
} from "./index.ts";
import { responsesRefusal } from "./refusals.fixture.ts";
import { at, drain, finished, framed, listAt, replaying } from "./replay.fixture.ts";

const user = (content: string): Message => ({ id: `u:${content}`, role: "user", content });
const look: ToolDefinition = {
  type: "function",
  name: "look",
  description: "Looks.",
  inputSchema: { type: "object", properties: { id: { type: "string" } } },
};

/** Sends requests to the strict server and gives the bodies it took. */
async function bodies(steps: readonly ScriptStep[], requests: readonly Partial<ModelRequest>[], model = "gpt-5.5") {
  await using server = await modelServer(steps.length > 0 ? steps : requests.map(() => ({ text: "ok" })));
  const provider = openai(model, { apiKey: "test", baseURL: server.baseURL("openai") });
  const answers = [];
  for (const request of requests) answers.push(await provider.generate({ messages: [user("Hi")], ...request }));
  expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual(requests.map(() => undefined));
  return { bodies: server.requests.map(({ body }) => body as Record<string, unknown>), answers, provider };
}

/** Plays a conversation of two turns and gives the second request's input, after a change to the history. */
async function secondInput(
  step: ScriptStep,
  change: (messages: Message[]) => readonly Message[],
  model = "gpt-5.5",
  second = model,
) {
  await using server = await modelServer([step, "Done."]);
  const first = openai(model, { apiKey: "test", baseURL: server.baseURL("openai") });
  const { message } = finished((await drain(first.stream({ messages: [user("Hi")], tools: [look] }))).chunks);
  const results = message.toolCalls.map((call): Message => ({
    id: call.id,
    role: "tool",
    toolCallId: call.id,
    toolName: call.name,
    content: "found",
  }));
  const next = openai(second, { apiKey: "test", baseURL: server.baseURL("openai") });
  const { messages } = compileHistory(change([user("Hi"), message, ...results]), historyTarget(next));
  await next.generate({ messages, tools: [look] });
  expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual([undefined, undefined]);
  return listAt(server.requests[1]?.body, "input");
}

test("[providers.openai-responses.stateless] nothing is stored, and reasoning comes encrypted, inline", async () => {
  const {
    bodies: [body],
  } = await bodies([], [{}]);
  expect(body).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] });
  const input = await secondInput({ reasoning: "Hm.", toolCalls: [{ name: "look" }] }, (messages) => messages);
  expect(input.map(({ type }) => type)).toEqual(["message", "reasoning", "function_call", "function_call_output"]);
  expect(JSON.stringify(input)).not.toContain("item_reference");
  const {
    bodies: [other],
  } = await bodies([], [{}], "gpt-4.1");
  expect(other).not.toHaveProperty("include");
});

test("[providers.openai-responses.reasoning-before-item] reasoning stands directly before its item, with its summary even when empty", async () => {
  const input = await secondInput(
    {
      parts: [
        { type: "reasoning", text: "" },
        { type: "text", text: "Looking." },
        { type: "tool_call", name: "look" },
      ],
    },
    (messages) => messages,
  );
  expect(input.map(({ type }) => type)).toEqual([
    "message",
    "reasoning",
    "message",
    "function_call",
    "function_call_output",
  ]);
  expect(input[1]).toMatchObject({ summary: [], encrypted_content: expect.stringMatching(/^gAAAA/) as string });
  expect(input[2]?.["id"]).toMatch(/^msg_/);
});

const parts: ScriptStep = {
  parts: [
    { type: "reasoning", text: "Hm." },
    { type: "text", text: "Looking." },
    { type: "tool_call", name: "look" },
  ],
};
const without = (type: string) => (messages: readonly Message[]) =>
  messages.map((message): Message =>
    message.role === "assistant"
      ? { ...message, content: message.content.filter((part) => part.type !== type) }
      : message,
  );

test("[providers.openai-responses.broken-pair] field-bug:PB-provider-openai-03 without its item reasoning stays away, and the rest goes without ids", async () => {
  const lost = await secondInput(parts, without("text"));
  expect(lost.map(({ type }) => type)).toEqual(["message", "function_call", "function_call_output"]);
  expect(lost[1]).not.toHaveProperty("id");
  const alone = await secondInput(parts, without("reasoning"));
  expect(alone.map(({ type }) => type)).toEqual(["message", "message", "function_call", "function_call_output"]);
  for (const item of alone) expect(item).not.toHaveProperty("id");
});

test("field-bug:PB-provider-openai-02 an abort between reasoning and its item leaves no reasoning alone in the next request", async () => {
  const step: ScriptStep = { reasoning: "A longer thought in several words.", text: "Answer." };
  for (let events = 1; events < 12; events += 1) {
    await using server = await modelServer([{ ...step, faults: { cutAfterEvents: events } }, "Done."]);
    const model = openai("gpt-5.5", { apiKey: "test", baseURL: server.baseURL("openai") });
    const { error } = await drain(model.stream({ messages: [user("Hi")] }));
    const { partial } = error as { partial?: { message: Message } };
    const messages = [user("Hi"), ...(partial === undefined ? [] : [partial.message]), user("continue")];
    await model.generate({ messages: compileHistory(messages, historyTarget(model)).messages });
    expect(server.requests[1]?.refusedBy).toBeUndefined();
  }
});

test("[providers.openai-responses.other-model] another model of OpenAI gets calls and results without item ids or reasoning", async () => {
  const input = await secondInput(parts, (messages) => messages, "gpt-5.4", "gpt-5.5");
  expect(input.map(({ type }) => type)).toEqual(["message", "message", "function_call", "function_call_output"]);
  for (const item of input) expect(item).not.toHaveProperty("id");
  expect(input[2]?.["call_id"]).toBe(input[3]?.["call_id"]);
});

const created = { type: "response.created", response: { id: "resp_1", status: "in_progress" } };
const completed = (output: readonly object[] = []) => ({
  type: "response.completed",
  response: { id: "resp_1", status: "completed", output, usage: { input_tokens: 1, output_tokens: 2 } },
});
const replay = (events: readonly object[], tools: readonly ToolDefinition[] = [look]) =>
  drain(replaying("gpt-5.5", {}, framed(events)).stream({ messages: [user("Hi")], tools }));

test("[providers.openai-responses.summary-parts] several summary parts are one item, with the last encrypted content", async () => {
  const item = (encrypted: string, summary: readonly object[]) => ({
    id: "rs_1",
    type: "reasoning",
    encrypted_content: encrypted,
    summary,
  });
  const part = (index: number, delta: string) => ({
    type: "response.reasoning_summary_text.delta",
    output_index: 0,
    item_id: "rs_1",
    summary_index: index,
    delta,
  });
  const { chunks } = await replay([
    created,
    { type: "response.output_item.added", output_index: 0, item: item("first", []) },
    part(0, "One."),
    part(1, "Two."),
    {
      type: "response.output_item.done",
      output_index: 0,
      item: item("last", [
        { type: "summary_text", text: "One." },
        { type: "summary_text", text: "Two." },
      ]),
    },
    {
      type: "response.output_item.done",
      output_index: 1,
      item: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "Hi", annotations: [] }],
      },
    },
    completed(),
  ]);
  const { content } = finished(chunks).message;
  expect(content).toMatchObject([
    { type: "reasoning", text: "One.\n\nTwo.", providerState: { encrypted: "last" } },
    { type: "text", text: "Hi" },
  ]);
  expect(chunks.map((chunk) => (chunk.type === "thinking" ? chunk.text : "")).join("")).toBe("One.\n\nTwo.");
  expect(chunks.map((chunk) => (chunk.type === "text" ? chunk.text : "")).join("")).toBe("Hi");
});

test("[providers.openai-responses.slots-by-output-index] ids that a gateway changes from event to event do not split a call", async () => {
  const call = (id: string, text: string) => ({
    id,
    type: "function_call",
    call_id: "call_1",
    name: "look",
    arguments: text,
  });
  const { chunks } = await replay([
    created,
    { type: "response.output_item.added", output_index: 0, item: call("fc_a", "") },
    { type: "response.function_call_arguments.delta", output_index: 0, item_id: "fc_b", delta: '{"id":' },
    { type: "response.function_call_arguments.delta", output_index: 0, item_id: "fc_c", delta: '"1"}' },
    { type: "response.output_item.done", output_index: 0, item: call("fc_d", '{"id":"1"}') },
    completed([call("fc_e", '{"id":"1"}')]),
  ]);
  expect(finished(chunks).message.toolCalls).toMatchObject([{ id: "call_1", input: { id: "1" } }]);
  expect(chunks.map(({ type }) => type)).toEqual([
    "tool_call_start",
    "tool_call_delta",
    "tool_call_delta",
    "tool_call_end",
    "finish",
  ]);
});

test("[providers.openai-responses.phase] a phase goes back as it came, and commentary is not the answer", async () => {
  const said = {
    parts: [
      { type: "text", text: "Let me see.", phase: "commentary" },
      { type: "text", text: "It is 4.", phase: "final_answer" },
    ],
  } as const;
  const { answers } = await bodies([said], [{}]);
  expect(answers[0] && answerText(answers[0].message)).toBe("It is 4.");
  const input = await secondInput(said, (messages) => [...messages, user("Sure?")]);
  expect(input.map(({ phase }) => phase)).toEqual([undefined, "commentary", "final_answer", undefined]);
});

test("[providers.openai-responses.parallel-wrapper] a wrapper call is expanded only if every recipient is declared", async () => {
  const wrapper = (names: readonly string[]): ScriptStep => ({
    toolCalls: [
      {
        name: "multi_tool_use.parallel",
        arguments: {
          tool_uses: names.map((name, id) => ({ recipient_name: `functions.${name}`, parameters: { id: String(id) } })),
        },
      },
    ],
  });
  const {
    answers: [both, one],
  } = await bodies(
    [wrapper(["look", "look"]), wrapper(["look", "delete_all"])],
    [{ tools: [look] }, { tools: [look] }],
  );
  expect(both?.message.toolCalls).toMatchObject([
    { name: "look", input: { id: "0" } },
    { name: "look", input: { id: "1" } },
  ]);
  expect(one?.message.toolCalls.map(({ name }) => name)).toEqual(["multi_tool_use.parallel"]);
  const input = await secondInput(wrapper(["look", "look"]), (messages) => messages);
  expect(input.map(({ type }) => type)).toEqual([
    "message",
    "function_call",
    "function_call",
    "function_call_output",
    "function_call_output",
  ]);
});

test("[providers.openai-responses.refusal] a refusal is refusal content, and the filter's end unless calls are there", async () => {
  const { chunks } = await replay(responsesRefusal);
  expect(finished(chunks)).toMatchObject({
    finishReason: "content_filter",
    rawFinishReason: "completed",
    message: { content: [{ type: "refusal", text: "I cannot help with that." }] },
  });
  const { answers } = await bodies([{ refusal: "Not that one.", toolCalls: [{ name: "look" }] }], [{ tools: [look] }]);
  expect(answers[0]?.finishReason).toBe("tool_calls");
});

test("[providers.openai-responses.length] the bound of output is length, with the vendor's word", async () => {
  const { answers } = await bodies([{ text: "Once", finish: "length" }], [{}]);
  expect(answers[0]).toMatchObject({ finishReason: "length", rawFinishReason: "max_output_tokens" });
});

test("[providers.openai-responses.reasoning-models] [providers.rule.warnings] sampling settings are dropped with a warning, and system becomes developer", async () => {
  const { bodies: sent, answers } = await bodies(
    [],
    [
      {
        messages: [{ id: "s", role: "system", content: "Be brief." }, user("Hi")],
        temperature: 0.2,
        topP: 0.9,
        stopSequences: ["X"],
        maxTokens: 4,
      },
      { temperature: 0.2, reasoning: { enabled: false } },
      { reasoning: { enabled: true, budgetTokens: 10_000 } },
    ],
  );
  expect(sent[0]).not.toHaveProperty("temperature");
  expect(sent[0]).toMatchObject({ max_output_tokens: 16, input: [{ role: "developer" }, { role: "user" }] });
  expect(answers[0]?.warnings.map(({ code, subject }) => [code, subject])).toEqual([
    ["unsupported_setting", "temperature"],
    ["unsupported_setting", "topP"],
    ["adjusted_setting", "maxTokens"],
    ["unsupported_setting", "stopSequences"],
  ]);
  expect(sent[1]).toMatchObject({ temperature: 0.2, reasoning: { effort: "none" } });
  expect(sent[2]).toMatchObject({ reasoning: { effort: "medium", summary: "auto" } });
  const { bodies: old, answers: told } = await bodies(
    [],
    [{ temperature: 0.2, reasoning: { enabled: true, effort: "high" } }],
    "gpt-4.1",
  );
  expect(old[0]).toMatchObject({ temperature: 0.2 });
  expect(old[0]).not.toHaveProperty("reasoning");
  expect(told[0]?.warnings).toMatchObject([{ code: "unsupported_setting", subject: "reasoning" }]);
});

test("[messages.reasoning-config] an effort that the model does not take is adjusted to one it takes, and said so", async () => {
  const { bodies: sent, answers } = await bodies(
    [],
    [{ reasoning: { enabled: true, effort: "max", summary: "none" } }],
    "gpt-5",
  );
  expect(sent[0]?.["reasoning"]).toEqual({ effort: "high" });
  expect(answers[0]?.warnings).toMatchObject([{ code: "adjusted_setting", subject: "reasoning.effort" }]);
});

test("[providers.openai-responses.strict-explicit] [providers.rule.strict-schemas] [providers.rule.strict-schemas.nulls-stripped] [tool.field.strict] strict is always said; what cannot be strict is not, with a warning", async () => {
  const schema = {
    type: "object",
    properties: {
      id: { type: "string" },
      note: { type: "string" },
      deep: { type: "object", properties: { x: { type: "number" } } },
    },
    required: ["id"],
  };
  const tools: ToolDefinition[] = [
    { type: "function", name: "loose", description: "", inputSchema: schema },
    { type: "function", name: "tight", description: "", inputSchema: schema, strict: true },
    {
      type: "function",
      name: "open",
      description: "",
      inputSchema: { type: "object", additionalProperties: { type: "string" } },
      strict: true,
    },
  ];
  const {
    bodies: [body],
    answers: [answer],
  } = await bodies(
    [{ toolCalls: [{ name: "tight", arguments: { id: "1", note: null, deep: { x: null } } }] }],
    [{ tools }],
  );
  expect(listAt(body, "tools").map(({ strict }) => strict)).toEqual([false, true, false]);
  expect(body?.["tools"]).toMatchObject([
    {},
    { parameters: { required: ["id", "note", "deep"], additionalProperties: false } },
    { parameters: { additionalProperties: { type: "string" } } },
  ]);
  expect(answer?.warnings).toMatchObject([
    { code: "strict_unavailable", message: expect.stringContaining('"open"') as string },
  ]);
  expect(answer?.message.toolCalls[0]?.input).toEqual({ id: "1", deep: {} });
});

test("[providers.openai-responses.tool-output] [tool.return.content-parts] outputs are text or a list with images and files; errors are told in the text", async () => {
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

test("[providers.openai-responses.hosted-tools] [providers.rule.unknown-events] hosted calls, and items of tomorrow, go back exactly as they came", async () => {
  const step: ScriptStep = {
    parts: [...hostedItems.map((value) => ({ type: "raw" as const, value })), { type: "text", text: "Done." }],
  };
  const input = await secondInput(step, (messages) => [...messages, user("And?")]);
  expect(input.slice(1, 1 + hostedItems.length)).toEqual(hostedItems);
});

test("[providers.openai-responses.hosted-tools] helpers declare what a tool can do, and the vendor's settings are sent as they are", async () => {
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
  expect(mcp({ server_label: "a", require_approval: "never" }).asksApproval).toBe(false);
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

test("[providers.openai-responses.hosted-tools] [people.when] a hosted call that asks for approval is answered with the decision", async () => {
  const request = {
    id: "mcpr_1",
    type: "mcp_approval_request",
    server_label: "crm",
    name: "pay",
    arguments: '{"eur":5}',
  };
  const input = await secondInput({ parts: [{ type: "raw", value: request }] }, (messages) => {
    const [part] = messages[1]?.role === "assistant" ? messages[1].content : [];
    expect(part).toMatchObject({ type: "hosted-tool", toolName: "mcp:pay", approvalRequestId: "mcpr_1" });
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

test("[providers.openai-responses.hosted-tools] a custom tool's free text runs the tool of that name, and goes back as it came", async () => {
  const sql: ToolDefinition = { ...look, name: "sql.query" };
  const tools = [sql, customTool({ name: "sql.query", description: "SQL" })];
  await using server = await modelServer(({ turn, tools: offered }) =>
    turn === 0 ? { toolCalls: [{ name: offered[0]?.name ?? "", arguments: 'SELECT "a"\n', custom: true }] } : "Done.",
  );
  const model = openai("gpt-5.5", { apiKey: "test", baseURL: server.baseURL("openai") });
  const { chunks } = await drain(model.stream({ messages: [user("Hi")], tools }));
  const { message } = finished(chunks);
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
  const sent = at(server.requests[1]?.body, "tools");
  expect(listAt(server.requests[1]?.body, "input").slice(1)).toMatchObject([
    { type: "custom_tool_call", input: 'SELECT "a"\n' },
    { type: "custom_tool_call_output", output: "1 row" },
  ]);
  expect(sent).toMatchObject([{ type: "custom" }]);
});

test("[providers.rule.images] a picture that the vendor made is a file of the answer, and goes back with its data", async () => {
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

test("[providers.rule.images] [messages.content-part.data-and-url] [messages.image-url-in-data] images and files are sent however they were given", async () => {
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

test("[providers.rule.structured-output] a schema goes together with tools, whole and streamed", async () => {
  const output = {
    name: "answer",
    schema: { type: "object", properties: { city: { type: "string" }, note: { type: "string" } }, required: ["city"] },
  };
  const {
    bodies: [body],
    provider,
  } = await bodies([{ text: '{"city":"Oslo","note":null}' }], [{ tools: [look], output }]);
  expect(body).toMatchObject({
    tools: [{ name: "look" }],
    text: { format: { type: "json_schema", name: "answer", strict: true, schema: { required: ["city", "note"] } } },
  });
  expect(provider.capabilities.structuredOutput).toBe("with-tools");
});

test("[providers.rule.caching] [providers.rule.caching.shared-prefix] the session is the cache key, parallel agents share one, and caching can be off", async () => {
  const system: Message = { id: "s", role: "system", content: "You are one of many." };
  const shared = { messages: [system, user("Hi")], caching: "shared" } as const;
  const { bodies: sent } = await bodies(
    [],
    [
      { sessionId: "session-1" },
      { ...shared, sessionId: "a" },
      { ...shared, sessionId: "b" },
      { caching: false, sessionId: "c" },
    ],
    "gpt-6",
  );
  expect(sent[0]).toMatchObject({ prompt_cache_key: "session-1" });
  expect(sent[1]?.["prompt_cache_key"]).toBe(sent[2]?.["prompt_cache_key"]);
  expect(sent[1]).toMatchObject({
    input: [{ content: [{ text: "You are one of many.", prompt_cache_breakpoint: { mode: "explicit" } }] }, {}],
  });
  expect(sent[3]).toMatchObject({ prompt_cache_options: { mode: "explicit" } });
  expect(sent[3]).not.toHaveProperty("prompt_cache_key");
  const { answers } = await bodies([], [{ caching: false }]);
  expect(answers[0]?.warnings).toMatchObject([{ code: "unsupported_setting", subject: "caching" }]);
});

test("[providers.rule.caching] tools keep their order, and a definition is prepared once however often it is sent", async () => {
  let reads = 0;
  const counted: ToolDefinition = {
    ...look,
    get inputSchema() {
      reads += 1;
      return { type: "object", properties: {} };
    },
  };
  const { bodies: sent } = await bodies(
    [],
    [{ tools: [counted, look] }, { tools: [counted, look] }, { tools: [counted, look] }],
  );
  const names = sent.map((body) => listAt(body, "tools").map(({ name }) => name));
  expect(new Set(names.map((one) => one.join())).size).toBe(1);
  const once = reads;
  await bodies([], [{ tools: [counted] }]);
  expect(reads - once).toBeGreaterThan(0);
  expect(once).toBeLessThanOrEqual(reads - once);
});

test("[providers.rule.overflow.silent] more input than the window holds, or length with nothing written, is overflow", async () => {
  for (const step of [
    { text: "Hi", usage: { promptTokens: 2_000_000 } },
    { text: "", finish: "length", usage: { completionTokens: 0 } },
  ] as const) {
    await expect(bodies([step], [{}])).rejects.toMatchObject({ code: "CONTEXT_OVERFLOW" });
  }
});

test("[providers.rule.unknown-events] an event of tomorrow is ignored, with a debug log", async () => {
  const logged: unknown[] = [];
  const logger = {
    debug: (...given: unknown[]) => logged.push(given),
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
  };
  const events = [
    created,
    { type: "response.hologram.delta", delta: "?" },
    { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "Hi" },
    completed(),
  ];
  const { chunks, error } = await drain(
    replaying("gpt-5.5", { logger }, framed(events)).stream({ messages: [user("Hi")] }),
  );
  expect(error).toBeUndefined();
  expect(finished(chunks).message.content).toMatchObject([{ type: "text", text: "Hi" }]);
  expect(JSON.stringify(logged)).toContain("response.hologram.delta");
});

test("field-bug:PB-unicode-04 a pair that comes in two deltas is emitted whole", async () => {
  const delta = (text: string) => ({
    type: "response.output_text.delta",
    output_index: 0,
    content_index: 0,
    delta: text,
  });
  const { chunks } = await replay([created, delta("a\ud83d"), delta("\ude00b"), completed()]);
  const texts = chunks.flatMap((chunk) => (chunk.type === "text" ? [chunk.text] : []));
  expect(texts).toEqual(["a", "😀b"]);
  expect(finished(chunks).message.content).toMatchObject([{ text: "a😀b" }]);
});

test("[providers.rule.warnings] settings of the vendor are typed and sent, and one that the wire lacks is warned of", async () => {
  const { bodies: sent, answers } = await bodies(
    [],
    [{ providerOptions: openaiOptions({ serviceTier: "flex", verbosity: "low", seed: 1, metadata: { a: "b" } }) }],
  );
  expect(sent[0]).toMatchObject({ service_tier: "flex", text: { verbosity: "low" }, metadata: { a: "b" } });
  expect(answers[0]?.warnings).toMatchObject([{ code: "unsupported_setting", subject: "seed" }]);
});
