import { item, openaiStream, responsesPage, said } from "./responses-events.fixture.ts";
import type { Fields, WrittenAnswer } from "./written-answer.fixture.ts";

const guide = (name: string): string => `https://developers.openai.com/api/docs/guides/${name}`;
const done: Fields = { status: "completed" };
const called = (index: number, more: Fields, args = '{"place":"here"}'): readonly Fields[] =>
  item(
    index,
    {
      id: `fc_${index}`,
      type: "function_call",
      ...done,
      call_id: `call_${index}`,
      name: "look",
      arguments: args,
      ...more,
    },
    { arguments: "" },
    { type: "response.function_call_arguments.delta", delta: args.slice(0, 5) },
    { type: "response.function_call_arguments.delta", delta: args.slice(5) },
    { type: "response.function_call_arguments.done", arguments: args },
  );
const reasoned = (index: number, ...summaries: readonly string[]): readonly Fields[] =>
  item(
    index,
    {
      id: `rs_${index}`,
      type: "reasoning",
      summary: summaries.map((text) => ({ type: "summary_text", text })),
      encrypted_content: "gAAAAABo",
    },
    { summary: [] },
    ...summaries.flatMap((text, summary_index) => [
      { type: "response.reasoning_summary_part.added", summary_index, part: { type: "summary_text", text: "" } },
      { type: "response.reasoning_summary_text.delta", summary_index, delta: text },
      { type: "response.reasoning_summary_text.done", summary_index, text },
    ]),
  );

/** Items of the Responses API, other than texts and plain calls. */
export const responsesItems: Readonly<Record<string, WrittenAnswer>> = {
  "files that were searched, with results": openaiStream(guide("tools-file-search"), [
    item(
      0,
      {
        id: "fs_1",
        type: "file_search_call",
        ...done,
        queries: ["deep research"],
        results: [{ file_id: "file-1", filename: "r.pdf", score: 0.9, text: "Deep research is", attributes: {} }],
      },
      { results: null },
      { type: "response.file_search_call.searching" },
      { type: "response.file_search_call.completed" },
    ),
    said(1, "It is a tool.", [{ type: "file_citation", index: 5, file_id: "file-1", filename: "r.pdf" }]),
  ]),
  "several queries in one search": openaiStream(guide("tools-web-search"), [
    item(
      0,
      {
        id: "ws_q",
        type: "web_search_call",
        ...done,
        action: {
          type: "search",
          query: "one",
          queries: ["one", "two"],
          sources: [{ type: "api", name: "oai-weather" }],
        },
      },
      {},
    ),
    said(1, "Both."),
  ]),
  "code that made a picture": openaiStream(guide("tools-code-interpreter"), [
    item(
      0,
      {
        id: "ci_2",
        type: "code_interpreter_call",
        ...done,
        code: "plot()",
        container_id: "cntr_2",
        outputs: [{ type: "image", url: "https://example.org/plot.png" }],
      },
      { code: "" },
    ),
    said(1, "Plotted."),
  ]),
  "a picture that failed": openaiStream(guide("image-generation"), [
    item(0, { id: "ig_2", type: "image_generation_call", status: "failed", result: null }, {}),
    said(1, "It could not be drawn."),
  ]),
  "a server that wants a decision": openaiStream(guide("tools-connectors-mcp"), [
    item(
      0,
      { id: "mcpr_1", type: "mcp_approval_request", server_label: "dice", name: "roll", arguments: '{"d":20}' },
      {},
    ),
  ]),
  "a server whose call failed": openaiStream(guide("tools-connectors-mcp"), [
    item(0, { id: "mcpl_2", type: "mcp_list_tools", server_label: "dice", tools: [], error: "unreachable" }, {}),
    item(
      1,
      {
        id: "mcp_2",
        type: "mcp_call",
        status: "failed",
        server_label: "dice",
        name: "roll",
        arguments: "{}",
        output: null,
        error: { type: "mcp_tool_execution_error", content: [{ type: "text", text: "No dice" }] },
      },
      {},
      { type: "response.mcp_call.failed" },
    ),
    said(2, "The server failed."),
  ]),
  "a call of a tool in a namespace": openaiStream(guide("tools-tool-search"), [
    item(
      0,
      {
        id: "tsc_1",
        type: "tool_search_call",
        ...done,
        execution: "server",
        call_id: null,
        arguments: { paths: ["crm"] },
      },
      {},
    ),
    item(
      1,
      {
        id: "tso_1",
        type: "tool_search_output",
        ...done,
        execution: "server",
        call_id: null,
        tools: [{ type: "namespace", name: "crm", description: "CRM", tools: [] }],
      },
      {},
    ),
    called(2, { namespace: "crm" }),
  ]),
  "a program of the model that calls": openaiStream(guide("tools-programmatic-tool-calling"), [
    item(0, { id: "prog_1", type: "program", call_id: "call_p", code: "await look()", fingerprint: "fp_1" }, {}),
    called(1, { caller: { type: "program", caller_id: "call_p" } }),
  ]),
  "a program of the model with its result": openaiStream(guide("tools-programmatic-tool-calling"), [
    item(0, { id: "prog_2", type: "program", call_id: "call_r", code: "1 + 1", fingerprint: "fp_2" }, {}),
    item(1, { id: "po_2", type: "program_output", ...done, call_id: "call_r", result: "two" }, {}),
    said(2, "Two."),
  ]),
  "a custom tool in a namespace": openaiStream(guide("function-calling"), [
    item(
      0,
      {
        id: "ctc_1",
        type: "custom_tool_call",
        ...done,
        call_id: "call_c",
        name: "run_sql",
        namespace: "db",
        input: 'SELECT "a"\nFROM b',
      },
      { input: "" },
      { type: "response.custom_tool_call_input.delta", delta: 'SELECT "a"' },
      { type: "response.custom_tool_call_input.delta", delta: "\nFROM b" },
      { type: "response.custom_tool_call_input.done", input: 'SELECT "a"\nFROM b' },
    ),
  ]),
  "several summaries, then calls": openaiStream(guide("reasoning"), [
    reasoned(0, "**First** a look.", "**Then** a second."),
    called(1, {}),
    called(2, {}, "{}"),
  ]),
  "reasoning without a word": openaiStream(guide("reasoning"), [reasoned(0), said(1, "Yes.")]),
  "reasoning that used the limit up": openaiStream(guide("reasoning"), [reasoned(0, "Hm.")], {
    status: "incomplete",
    incomplete_details: { reason: "max_output_tokens" },
  }),
  "a call that the limit cut": openaiStream(
    guide("function-calling"),
    [called(0, { status: "incomplete" }, '{"place":"he')],
    { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
  ),
  "commentary before the answer": openaiStream(guide("latest-model"), [
    item(
      0,
      {
        id: "msg_0",
        type: "message",
        ...done,
        role: "assistant",
        phase: "commentary",
        content: [{ type: "output_text", text: "I look first.", annotations: [] }],
      },
      { content: [] },
      { type: "response.output_text.delta", content_index: 0, delta: "I look first." },
    ),
    item(
      1,
      {
        id: "msg_1",
        type: "message",
        ...done,
        role: "assistant",
        phase: "final_answer",
        content: [{ type: "output_text", text: "There.", annotations: [] }],
      },
      { content: [] },
      { type: "response.output_text.delta", content_index: 0, delta: "There." },
    ),
  ]),
  "two parts in one message": openaiStream(guide("structured-outputs"), [
    item(
      0,
      {
        id: "msg_0",
        type: "message",
        ...done,
        role: "assistant",
        content: [
          { type: "output_text", text: "Half,", annotations: [], logprobs: [] },
          { type: "refusal", refusal: "but no more." },
        ],
      },
      { content: [] },
      { type: "response.output_text.delta", content_index: 0, delta: "Half," },
      { type: "response.refusal.delta", content_index: 1, delta: "but no more." },
    ),
  ]),
  "a shell of the vendor with its output": openaiStream(guide("tools-shell"), [
    item(
      0,
      {
        id: "sh_1",
        type: "shell_call",
        ...done,
        call_id: "call_s",
        action: { commands: ["ls"], timeout_ms: null, max_output_length: null },
        environment: { type: "container_reference", container_id: "cntr_3" },
      },
      {},
      { type: "response.shell_call_command.delta", command_index: 0, delta: "ls" },
    ),
    item(
      1,
      {
        id: "sho_1",
        type: "shell_call_output",
        ...done,
        call_id: "call_s",
        output: [{ stdout: "a.txt", stderr: "", outcome: { type: "exit", exit_code: 0 } }],
      },
      {},
    ),
    said(2, "One file."),
  ]),
  "tools that the answer added": openaiStream(guide("tools-tool-search"), [
    item(
      0,
      { id: "at_1", type: "additional_tools", role: "developer", tools: [{ type: "function", name: "look" }] },
      {},
    ),
    said(1, "Ready."),
  ]),
  "an answer with nothing in it": openaiStream(responsesPage, []),
  "an item of tomorrow": openaiStream(responsesPage, [
    item(0, { id: "sk_1", type: "sketch", strokes: "up, down" }, {}, { type: "response.sketch.delta", delta: "up" }),
    said(1, "Drawn."),
  ]),
  "a search on X (xAI)": openaiStream(
    "https://docs.x.ai/docs/guides/tools/search-tools",
    [
      item(
        0,
        {
          id: "ctc_x",
          type: "custom_tool_call",
          ...done,
          call_id: "xs_1",
          name: "x_keyword_search",
          input: '{"q":"a"}',
        },
        { input: "" },
      ),
      said(1, "Posted.", [{ type: "url_citation", url: "https://x.com/a/status/1", title: "1" }]),
    ],
    { server_side_tool_usage: { SERVER_SIDE_TOOL_X_SEARCH: 1 } },
    "openai-responses-xai",
  ),
};
