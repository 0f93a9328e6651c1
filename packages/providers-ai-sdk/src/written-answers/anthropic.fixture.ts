import { start, block, text, json, end, claude } from "./anthropic-events.fixture.ts";
import type { WrittenAnswer } from "./written-answer.fixture.ts";

/** Answers as Anthropic's pages show them. */
export const anthropicAnswers: Readonly<Record<string, WrittenAnswer>> = {
  "web search with citations": claude(
    "agents-and-tools/tool-use/web-search-tool",
    start(),
    text(0, "I'll search."),
    block(
      1,
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
      ...json("", '{"query": "clau', 'de"}'),
    ),
    block(2, {
      type: "web_search_tool_result",
      tool_use_id: "srvtoolu_1",
      content: [
        {
          type: "web_search_result",
          url: "https://example.org/a",
          title: "A",
          encrypted_content: "EqgfCioIARgB",
          page_age: "April 30, 2025",
        },
      ],
    }),
    block(
      3,
      { type: "text", text: "", citations: [] },
      {
        type: "citations_delta",
        citation: {
          type: "web_search_result_location",
          cited_text: "Claude",
          url: "https://example.org/a",
          title: "A",
          encrypted_index: "Eo8BCioIAhgB",
        },
      },
      { type: "text_delta", text: " Found it." },
    ),
    end("end_turn", {
      input_tokens: 10682,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 510,
      server_tool_use: { web_search_requests: 1 },
    }),
  ),
  "code execution that makes a file": claude(
    "agents-and-tools/tool-use/code-execution-tool",
    start({ container: { id: "container_1", expires_at: "2026-01-01T00:00:00Z" } }),
    block(
      0,
      { type: "server_tool_use", id: "srvtoolu_2", name: "bash_code_execution", input: {} },
      ...json('{"command":"python plot.py"}'),
    ),
    block(1, {
      type: "bash_code_execution_tool_result",
      tool_use_id: "srvtoolu_2",
      content: {
        type: "bash_code_execution_result",
        stdout: "ok",
        stderr: "",
        return_code: 0,
        content: [{ type: "bash_code_execution_output", file_id: "file_011" }],
      },
    }),
    text(2, "The plot is done."),
    end("end_turn", { output_tokens: 90, server_tool_use: { web_search_requests: 0, code_execution_requests: 1 } }),
  ),
  "a call by the vendor's code": claude(
    "agents-and-tools/tool-use/programmatic-tool-calling",
    start(),
    block(
      0,
      { type: "server_tool_use", id: "srvtoolu_3", name: "code_execution", input: {} },
      ...json('{"code":"await look()"}'),
    ),
    block(
      1,
      {
        type: "tool_use",
        id: "toolu_3",
        name: "look",
        input: {},
        caller: { type: "code_execution_20250825", tool_id: "srvtoolu_3" },
      },
      ...json('{"place"', ':"here"}'),
    ),
    end("tool_use", { output_tokens: 60 }, { container: { id: "container_3", expires_at: "2026-01-01T00:00:00Z" } }),
  ),
  "a tool found by search": claude(
    "agents-and-tools/tool-use/tool-search-tool",
    start(),
    block(
      0,
      { type: "server_tool_use", id: "srvtoolu_4", name: "tool_search_tool_regex", input: {} },
      ...json('{"pattern":"look"}'),
    ),
    block(1, {
      type: "tool_search_tool_result",
      tool_use_id: "srvtoolu_4",
      content: {
        type: "tool_search_tool_search_result",
        tool_references: [{ type: "tool_reference", tool_name: "look" }],
      },
    }),
    block(2, { type: "tool_use", id: "toolu_4", name: "look", input: {} }),
    end("tool_use"),
  ),
  "an MCP call of the vendor": claude(
    "agents-and-tools/mcp-connector",
    start(),
    block(
      0,
      { type: "mcp_tool_use", id: "mcptoolu_5", name: "echo", server_name: "example", input: {} },
      ...json('{"p":1}'),
    ),
    block(1, {
      type: "mcp_tool_result",
      tool_use_id: "mcptoolu_5",
      is_error: false,
      content: [{ type: "text", text: "Hello" }],
    }),
    text(2, "It says hello."),
    end("end_turn"),
  ),
  "a page that was fetched, and one that was not": claude(
    "agents-and-tools/tool-use/web-fetch-tool",
    start(),
    block(
      0,
      { type: "server_tool_use", id: "srvtoolu_6", name: "web_fetch", input: {} },
      ...json('{"url":"https://example.com/a"}'),
    ),
    block(1, {
      type: "web_fetch_tool_result",
      tool_use_id: "srvtoolu_6",
      content: {
        type: "web_fetch_result",
        url: "https://example.com/a",
        content: {
          type: "document",
          source: { type: "text", media_type: "text/plain", data: "Full text" },
          title: "T",
        },
        retrieved_at: "2025-08-25T10:30:00Z",
      },
    }),
    block(
      2,
      { type: "server_tool_use", id: "srvtoolu_7", name: "web_fetch", input: {} },
      ...json('{"url":"https://example.com/b"}'),
    ),
    block(3, {
      type: "web_fetch_tool_result",
      tool_use_id: "srvtoolu_7",
      content: { type: "web_fetch_tool_result_error", error_code: "url_not_accessible" },
    }),
    block(
      4,
      { type: "text", text: "", citations: [] },
      { type: "text_delta", text: "One of two." },
      {
        type: "citations_delta",
        citation: {
          type: "char_location",
          cited_text: "Full",
          document_index: 0,
          document_title: "T",
          start_char_index: 0,
          end_char_index: 4,
        },
      },
    ),
    end("end_turn"),
  ),
  "hidden thinking before thinking that can be read": claude(
    "build-with-claude/extended-thinking",
    start(),
    block(0, { type: "redacted_thinking", data: "EmwKAhgBEgy3va3pzix" }),
    block(
      1,
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: "Let me" },
      { type: "thinking_delta", thinking: " see." },
      { type: "signature_delta", signature: "EqQBCgIYAhIM" },
    ),
    text(2, "Yes."),
    end("end_turn", { output_tokens: 30, output_tokens_details: { thinking_tokens: 20 } }),
  ),
  "thinking that is not shown": claude(
    "build-with-claude/adaptive-thinking",
    start(),
    block(0, { type: "thinking", thinking: "", signature: "" }, { type: "signature_delta", signature: "EqQBCgIYAhIN" }),
    text(1, "Yes."),
    end("end_turn"),
  ),
  "a compaction by the vendor": claude(
    "build-with-claude/compaction",
    start(),
    block(0, { type: "compaction", content: null }, { type: "compaction_delta", content: "Summary: so far." }),
    text(1, "Going on."),
    end("end_turn", {
      input_tokens: 45000,
      output_tokens: 1234,
      iterations: [
        { type: "compaction", input_tokens: 180000, output_tokens: 3500 },
        { type: "message", input_tokens: 23000, output_tokens: 1000 },
      ],
    }),
  ),
  "cleared tool results": claude("build-with-claude/context-editing", start(), text(0, "Done."), [
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 1024 },
      context_management: {
        applied_edits: [{ type: "clear_tool_uses_20250919", cleared_tool_uses: 8, cleared_input_tokens: 50000 }],
      },
    },
    { type: "message_stop" },
  ]),
  "arguments that the output limit cut": claude(
    "agents-and-tools/tool-use/fine-grained-tool-streaming",
    start(),
    block(0, { type: "tool_use", id: "toolu_8", name: "look", input: {} }, ...json('{"place": "he')),
    end("max_tokens"),
  ),
  "a refusal in the middle": claude(
    "test-and-evaluate/strengthen-guardrails/handle-streaming-refusals",
    start(),
    text(0, "Hello"),
    end("refusal"),
  ),
  "a stop sequence": claude("api/messages", start(), text(0, "One"), [
    {
      type: "message_delta",
      delta: { stop_reason: "stop_sequence", stop_sequence: "END" },
      usage: { output_tokens: 5 },
    },
    { type: "message_stop" },
  ]),
  "nothing after a tool result": claude("build-with-claude/handling-stop-reasons", start(), end("end_turn")),
};
