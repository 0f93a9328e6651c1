import { block, claude, end, json, start, text } from "./anthropic-events.fixture.ts";
import type { Fields, WrittenAnswer } from "./written-answer.fixture.ts";

const fallbackPage = "build-with-claude/refusals-and-fallback";
const fallback = (index: number): readonly Fields[] =>
  block(index, {
    type: "fallback",
    from: { model: "claude-opus-5" },
    to: { model: "claude-opus-4-8" },
    trigger: { type: "refusal", category: "cyber" },
  });
const iteration = (type: string, input_tokens: number, output_tokens: number): Fields => ({
  type,
  input_tokens,
  output_tokens,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_creation: null,
});
const search = (index: number, id: string, query: string, more: Fields = {}): readonly Fields[] =>
  block(
    index,
    { type: "server_tool_use", id, name: "web_search", input: {}, ...more },
    ...json(`{"query":"${query}"}`),
  );
const cited = (index: number, value: string, ...citations: readonly Fields[]): readonly Fields[] =>
  block(
    index,
    { type: "text", text: "", citations: [] },
    { type: "text_delta", text: value },
    ...citations.map((citation) => ({ type: "citations_delta", citation })),
  );

/** Turns of Claude that end, pause or change hands in unusual ways. */
export const anthropicTurns: Readonly<Record<string, WrittenAnswer>> = {
  "another model takes over in the middle": claude(
    fallbackPage,
    start(),
    block(
      0,
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: "A first plan." },
      { type: "signature_delta", signature: "EqQBCgIYAhIA" },
    ),
    text(1, "First half,"),
    block(2, { type: "tool_use", id: "toolu_a", name: "look", input: {} }, ...json('{"place":"left"}')),
    fallback(3),
    block(
      4,
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: "A second plan." },
      { type: "signature_delta", signature: "EqQBCgIYAhIB" },
    ),
    text(5, " second half."),
    block(6, { type: "tool_use", id: "toolu_b", name: "look", input: {} }, ...json('{"place":"right"}')),
    end("tool_use", {
      input_tokens: 30,
      output_tokens: 40,
      iterations: [iteration("message", 20, 10), iteration("fallback_message", 30, 40)],
    }),
  ),
  "another model answers from the beginning": claude(
    fallbackPage,
    start({ model: "claude-opus-4-8" }),
    fallback(0),
    text(1, "Here it is."),
    end("end_turn", {
      output_tokens: 12,
      iterations: [iteration("message", 20, 0), iteration("fallback_message", 20, 12)],
    }),
  ),
  "all models refuse": claude(fallbackPage, start(), fallback(0), [
    {
      type: "message_delta",
      delta: {
        stop_reason: "refusal",
        stop_sequence: null,
        stop_details: { type: "refusal", category: "cyber", explanation: "This request is declined." },
      },
      usage: { output_tokens: 0 },
    },
    { type: "message_stop" },
  ]),
  "a refusal without a word": claude(fallbackPage, start(), [
    {
      type: "message_delta",
      delta: { stop_reason: "refusal", stop_sequence: null, stop_details: { category: null, explanation: null } },
      usage: { output_tokens: 0 },
    },
    { type: "message_stop" },
  ]),
  "advice of a stronger model": claude(
    "agents-and-tools/tool-use/advisor-tool",
    start(),
    block(0, { type: "server_tool_use", id: "srvtoolu_v", name: "advisor", input: {} }),
    block(1, {
      type: "advisor_tool_result",
      tool_use_id: "srvtoolu_v",
      content: { type: "advisor_result", text: "Begin at the end.", stop_reason: "end_turn" },
    }),
    block(2, { type: "server_tool_use", id: "srvtoolu_w", name: "advisor", input: {} }),
    block(3, {
      type: "advisor_tool_result",
      tool_use_id: "srvtoolu_w",
      content: { type: "advisor_redacted_result", encrypted_content: "EqgfCioIARgB", stop_reason: "end_turn" },
    }),
    text(4, "Done so."),
    end("end_turn", {
      output_tokens: 10,
      iterations: [iteration("message", 20, 5), iteration("advisor_message", 100, 50), iteration("message", 30, 5)],
    }),
  ),
  "a compaction that is signed and names tools": claude(
    "build-with-claude/compaction",
    start(),
    block(
      0,
      { type: "compaction", content: null, encrypted_content: null },
      { type: "compaction_delta", content: "Summary of all.", encrypted_content: "EnCr" },
    ),
    text(1, "Going on."),
    end("end_turn"),
  ),
  "a compaction that failed": claude(
    "build-with-claude/compaction",
    start(),
    block(0, { type: "compaction", content: null, encrypted_content: null }),
    text(1, "Going on."),
    end("end_turn"),
  ),
  "a compaction that waits for the caller": claude(
    "build-with-claude/compaction",
    start(),
    block(0, { type: "compaction", content: null }, { type: "compaction_delta", content: "Summary so far." }),
    end("compaction"),
  ),
  "a pause without a hosted tool": claude("build-with-claude/handling-stop-reasons", start(), text(0, "Still on it."), [
    { type: "message_delta", delta: { stop_reason: "pause_turn", stop_sequence: null }, usage: { output_tokens: 3 } },
    { type: "message_stop" },
  ]),
  "a window that is full": claude(
    "build-with-claude/handling-stop-reasons",
    start(),
    text(0, "As far as it"),
    end("model_context_window_exceeded"),
  ),
  "tools of a server that were listed": claude(
    "agents-and-tools/mcp-connector",
    start(),
    block(0, {
      type: "mcp_tool_listing",
      mcp_server_name: "example",
      tools: [{ name: "echo", description: "Echoes.", input_schema: { type: "object" } }],
    }),
    block(
      1,
      { type: "mcp_tool_use", id: "mcptoolu_f", name: "echo", server_name: "example", input: {} },
      ...json('{"p":', '"q"}'),
    ),
    block(2, {
      type: "mcp_tool_result",
      tool_use_id: "mcptoolu_f",
      is_error: true,
      content: [{ type: "text", text: "Not today" }],
    }),
    text(3, "The server failed."),
    end("end_turn"),
  ),
  "a search that the vendor could not make": claude(
    "agents-and-tools/tool-use/web-search-tool",
    start(),
    search(0, "srvtoolu_m", "many"),
    block(1, {
      type: "web_search_tool_result",
      tool_use_id: "srvtoolu_m",
      content: { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" },
    }),
    text(2, "No more searches."),
    end("end_turn"),
  ),
  "a search by the vendor's code": claude(
    "agents-and-tools/tool-use/web-search-tool",
    start({ container: { id: "container_s", expires_at: "2027-01-01T00:00:00Z" } }),
    block(
      0,
      { type: "server_tool_use", id: "srvtoolu_c", name: "code_execution", input: {} },
      ...json('{"code":"await web_search()"}'),
    ),
    search(1, "srvtoolu_d", "inner", { caller: { type: "code_execution_20260120", tool_id: "srvtoolu_c" } }),
    block(2, {
      type: "web_search_tool_result",
      tool_use_id: "srvtoolu_d",
      caller: { type: "code_execution_20260120", tool_id: "srvtoolu_c" },
      content: [{ type: "web_search_result", url: "https://example.org/i", title: "I", encrypted_content: "Ei" }],
    }),
    block(3, {
      type: "code_execution_tool_result",
      tool_use_id: "srvtoolu_c",
      content: {
        type: "encrypted_code_execution_result",
        encrypted_stdout: "Enc=",
        stderr: "",
        return_code: 0,
        content: [],
      },
    }),
    text(4, "Found inside."),
    end("end_turn"),
  ),
  "files that the vendor's editor changed": claude(
    "agents-and-tools/tool-use/code-execution-tool",
    start(),
    block(
      0,
      { type: "server_tool_use", id: "srvtoolu_e", name: "text_editor_code_execution", input: {} },
      ...json('{"command":"view","path":"a.txt"}'),
    ),
    block(1, {
      type: "text_editor_code_execution_tool_result",
      tool_use_id: "srvtoolu_e",
      content: {
        type: "text_editor_code_execution_view_result",
        file_type: "text",
        content: "line one",
        num_lines: 1,
        start_line: 1,
        total_lines: 1,
      },
    }),
    block(
      2,
      { type: "server_tool_use", id: "srvtoolu_g", name: "bash_code_execution", input: {} },
      ...json('{"command":"sleep 999"}'),
    ),
    block(3, {
      type: "bash_code_execution_tool_result",
      tool_use_id: "srvtoolu_g",
      content: { type: "bash_code_execution_tool_result_error", error_code: "execution_time_exceeded" },
    }),
    text(4, "One read, one late."),
    end("end_turn"),
  ),
  "citations of pages, chunks and results": claude(
    "build-with-claude/citations",
    start(),
    cited(
      0,
      "Grass is green",
      {
        type: "page_location",
        cited_text: "Green grass.",
        document_index: 0,
        document_title: "Lawn",
        start_page_number: 1,
        end_page_number: 2,
      },
      {
        type: "content_block_location",
        cited_text: "A green lawn.",
        document_index: 1,
        document_title: "Yard",
        start_block_index: 0,
        end_block_index: 1,
      },
    ),
    text(1, " and "),
    cited(2, "the sky is blue", {
      type: "search_result_location",
      cited_text: "Blue sky.",
      source: "https://example.org/sky",
      title: "Sky",
      search_result_index: 0,
      start_block_index: 0,
      end_block_index: 1,
    }),
    end("end_turn"),
  ),
  "thinking between calls": claude(
    "build-with-claude/extended-thinking",
    start(),
    block(
      0,
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: "One." },
      { type: "signature_delta", signature: "EqQBAA" },
    ),
    text(1, "First"),
    block(
      2,
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: "Two." },
      { type: "signature_delta", signature: "EqQBAB" },
    ),
    block(3, { type: "tool_use", id: "toolu_x", name: "look", input: {} }, ...json("", '{"place"', ': "a', 'b"}')),
    block(4, { type: "tool_use", id: "toolu_y", name: "look", input: {} }),
    end("tool_use"),
  ),
  "thinking that the output limit cut": claude(
    "build-with-claude/extended-thinking",
    start(),
    block(0, { type: "thinking", thinking: "", signature: "" }, { type: "thinking_delta", thinking: "It may be that" }),
    end("max_tokens"),
  ),
  "arguments that are not JSON": claude(
    "agents-and-tools/tool-use/fine-grained-tool-streaming",
    start(),
    block(0, { type: "tool_use", id: "toolu_z", name: "look", input: {} }, ...json('{"place": ', "her}")),
    end("tool_use"),
  ),
  "a tool search without a find": claude(
    "agents-and-tools/tool-use/tool-search-tool",
    start(),
    block(
      0,
      { type: "server_tool_use", id: "srvtoolu_h", name: "tool_search_tool_bm25", input: {} },
      ...json('{"query":"weather"}'),
    ),
    block(1, {
      type: "tool_search_tool_result",
      tool_use_id: "srvtoolu_h",
      content: { type: "tool_search_tool_result_error", error_code: "unavailable", error_message: "Try later" },
    }),
    text(2, "No such tool."),
    end("end_turn"),
  ),
  "a file that came with the turn": claude(
    "agents-and-tools/tool-use/code-execution-tool",
    start(),
    block(0, { type: "container_upload", file_id: "file_up" }),
    text(1, "Stored."),
    end("end_turn"),
  ),
  "events and blocks of tomorrow": claude(
    "build-with-claude/streaming",
    start(),
    { type: "ping" },
    { type: "weather_report", sky: "clear" },
    block(0, { type: "sketch", strokes: "" }, { type: "sketch_delta", strokes: "up, down" }),
    text(1, "Drawn."),
    end("end_turn"),
  ),
};
