import { item, said, openaiStream, responsesPage, search } from "./responses-events.fixture.ts";
import type { WrittenAnswer } from "./written-answer.fixture.ts";

/** Answers as pages of the Responses API show them. */
export const responsesAnswers: Readonly<Record<string, WrittenAnswer>> = {
  "a web search with its pages": openaiStream("https://developers.openai.com/api/docs/guides/tools-web-search", [
    item(
      0,
      { ...search, action: { type: "search", query: "news", sources: [{ type: "url", url: "https://example.com" }] } },
      { action: undefined },
      { type: "response.web_search_call.in_progress" },
      { type: "response.web_search_call.searching" },
      { type: "response.web_search_call.completed" },
    ),
    item(1, { ...search, id: "ws_2", action: { type: "open_page", url: "https://example.com/a" } }, {}),
    item(
      2,
      { ...search, id: "ws_3", action: { type: "find_in_page", url: "https://example.com/a", pattern: "x" } },
      {},
    ),
    said(3, "News.", [
      { type: "url_citation", start_index: 0, end_index: 5, url: "https://example.com/a", title: "A" },
    ]),
  ]),
  "code with a file": openaiStream("https://developers.openai.com/api/docs/guides/tools-code-interpreter", [
    item(
      0,
      {
        id: "ci_1",
        type: "code_interpreter_call",
        status: "completed",
        code: "print(1)",
        container_id: "cntr_1",
        outputs: [{ type: "logs", logs: "1" }],
      },
      { code: "", outputs: null },
      { type: "response.code_interpreter_call_code.delta", delta: "print(1)" },
      { type: "response.code_interpreter_call_code.done", code: "print(1)" },
      { type: "response.code_interpreter_call.interpreting" },
      { type: "response.code_interpreter_call.completed" },
    ),
    said(1, "See the plot.", [
      {
        type: "container_file_citation",
        container_id: "cntr_1",
        file_id: "cfile_1",
        filename: "plot.png",
        start_index: 0,
        end_index: 0,
      },
    ]),
  ]),
  "a picture": openaiStream("https://developers.openai.com/api/docs/guides/image-generation", [
    item(
      0,
      { id: "ig_1", type: "image_generation_call", status: "completed", result: "iVBORw0KGgo=", output_format: "png" },
      { result: null },
      { type: "response.image_generation_call.generating" },
      { type: "response.image_generation_call.partial_image", partial_image_index: 0, partial_image_b64: "iVBO" },
      { type: "response.image_generation_call.completed" },
    ),
  ]),
  "a server's tools and a call of one": openaiStream(
    "https://developers.openai.com/api/docs/guides/tools-connectors-mcp",
    [
      item(
        0,
        { id: "mcpl_1", type: "mcp_list_tools", server_label: "dice", tools: [{ name: "roll", input_schema: {} }] },
        { tools: [] },
      ),
      item(
        1,
        {
          id: "mcp_1",
          type: "mcp_call",
          server_label: "dice",
          name: "roll",
          arguments: '{"d":6}',
          output: "4",
          error: null,
        },
        { arguments: "", output: null },
        { type: "response.mcp_call_arguments.delta", delta: '{"d":6}' },
        { type: "response.mcp_call_arguments.done", arguments: '{"d":6}' },
        { type: "response.mcp_call.completed" },
      ),
      said(2, "A four."),
    ],
  ),
  "a refusal": openaiStream("https://developers.openai.com/api/docs/guides/structured-outputs", [
    item(
      0,
      {
        id: "msg_0",
        type: "message",
        status: "completed",
        role: "assistant",
        content: [{ type: "refusal", refusal: "I can't." }],
      },
      { content: [] },
      { type: "response.refusal.delta", content_index: 0, delta: "I can't." },
      { type: "response.refusal.done", content_index: 0, refusal: "I can't." },
    ),
  ]),
  "an answer that the filter cut": openaiStream(responsesPage, [said(0, "Half of")], {
    status: "incomplete",
    incomplete_details: { reason: "content_filter" },
  }),
  "a compaction": openaiStream("https://developers.openai.com/api/docs/guides/compaction", [
    item(0, { id: "cmp_1", type: "compaction", encrypted_content: "gAAAA" }, {}),
    said(1, "On."),
  ]),
  "readable reasoning of an open model": openaiStream(
    "https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html",
    [
      item(
        0,
        {
          id: "rs_1",
          type: "reasoning",
          summary: [],
          content: [{ type: "reasoning_text", text: "Hm." }],
          status: "completed",
        },
        { content: [] },
        { type: "response.reasoning_part.added", content_index: 0, part: { type: "reasoning_text", text: "" } },
        { type: "response.reasoning_text.delta", content_index: 0, delta: "Hm." },
        { type: "response.reasoning_text.done", content_index: 0, text: "Hm." },
      ),
      said(1, "Ok."),
    ],
  ),
  "a tool that was searched for": openaiStream("https://developers.openai.com/api/docs/guides/tools-tool-search", [
    item(
      0,
      {
        id: "tsc_1",
        type: "tool_search_call",
        status: "completed",
        execution: "server",
        call_id: null,
        arguments: { paths: ["crm"] },
      },
      {},
    ),
    item(
      1,
      { id: "tso_1", type: "tool_search_output", status: "completed", execution: "server", call_id: null, tools: [] },
      {},
    ),
    item(
      2,
      {
        id: "fc_1",
        type: "function_call",
        status: "completed",
        call_id: "call_1",
        name: "look",
        namespace: "crm",
        arguments: '{"place":"here"}',
      },
      { arguments: "" },
      { type: "response.function_call_arguments.delta", delta: '{"place":"here"}' },
      { type: "response.function_call_arguments.done", arguments: '{"place":"here"}' },
    ),
  ]),
};
