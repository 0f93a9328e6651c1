import { objectOf, objectsOf, parseObject, textOf, type JsonObject } from "../json.ts";
import { invalidRequest } from "../openai/openai-error.ts";
import { firstProblem } from "../openai/string-limits.ts";
import type { Refusal } from "../refusal.ts";
import { chatServers, type ChatServer } from "../chat-server.ts";

const wires = ["openai-chat"] as const;
const others: readonly ChatServer[] = chatServers.filter((name) => name !== "openai");
const messagesOf = (body: JsonObject): readonly JsonObject[] => objectsOf(body["messages"]);
const roleOf = (message: JsonObject | undefined): string => textOf(message?.["role"]);
const isSystem = (message: JsonObject | undefined): boolean => /^(system|developer)$/.test(roleOf(message));

/** Refusals of servers other than OpenAI about messages and their order. */
export const serverMessageRefusals: readonly Refusal[] = [
  {
    id: "mistral.user-after-tool",
    wires,
    servers: ["mistral"],
    when: "A user message follows a tool message.",
    source: "https://github.com/onyx-dot-app/onyx/issues/6458",
    find: ({ body }) =>
      firstProblem(messagesOf(body), (message, index) =>
        roleOf(message) === "user" && roleOf(messagesOf(body)[index - 1]) === "tool"
          ? misordered("Unexpected role 'user' after role 'tool'")
          : undefined,
      ),
  },
  {
    id: "mistral.system-after-answer",
    wires,
    servers: ["mistral"],
    when: "A system message follows an answer or a tool message.",
    source: "https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py",
    find: ({ body }) =>
      firstProblem(messagesOf(body), (message, index) => {
        const before = roleOf(messagesOf(body)[index - 1]);
        return roleOf(message) === "system" && /^(assistant|tool)$/.test(before)
          ? misordered(`Unexpected role 'system' after role '${before}'`)
          : undefined;
      }),
  },
  {
    id: "mistral.answer-last",
    wires,
    servers: ["mistral"],
    when: "The last message is neither the user's nor a tool's.",
    source: "https://github.com/huggingface/smolagents/issues/757",
    find: ({ body }) => {
      const last = roleOf(messagesOf(body).at(-1));
      return last === "user" || last === "tool"
        ? undefined
        : misordered(`Expected last role User or Tool (or Assistant with prefix True) for serving but got ${last}`);
    },
  },
  {
    id: "mistral.call-id-invalid",
    wires,
    servers: ["mistral"],
    when: "The id of a call is not nine letters and digits.",
    source: "https://github.com/nearai/ironclaw/issues/1241",
    find: ({ body }) => {
      const bad = messagesOf(body)
        .flatMap((message) => [
          ...objectsOf(message["tool_calls"]).map((call) => textOf(call["id"])),
          ...(roleOf(message) === "tool" ? [textOf(message["tool_call_id"])] : []),
        ])
        .find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
      return bad === undefined
        ? undefined
        : {
            status: 400,
            type: "invalid_function_call",
            code: "3280",
            message: `Tool call id was ${bad} but must be a-z, A-Z, 0-9, with a length of 9.`,
          };
    },
  },
  {
    id: "qwen.system-not-first",
    wires,
    servers: ["alibaba", "vllm", "sglang", "lmstudio", "llamacpp"],
    when: "A system message is not the first message: the chat template of Qwen 3.5 takes one, at the beginning.",
    source: "https://github.com/vllm-project/vllm/issues/41114",
    find: ({ body }) =>
      laterSystem(body) ? invalidRequest("System message must be at the beginning.", "messages") : undefined,
  },
  {
    id: "minimax.system-messages",
    wires,
    servers: ["minimax"],
    when: "There is a second system message, or one that is not the first message.",
    source: "https://github.com/MiniMax-AI/MiniMax-M2/issues/51",
    find: ({ body }) =>
      laterSystem(body)
        ? { status: 400, type: "bad_request_error", message: "invalid params, invalid chat setting (2013)" }
        : undefined,
  },
  {
    id: "perplexity.roles-not-alternating",
    wires,
    servers: ["perplexity"],
    when: "After the system messages, user and assistant do not alternate from a first to a last user message.",
    source: "https://github.com/perplexityai/api-discussion/issues/265",
    find: ({ body }) => {
      const messages = messagesOf(body);
      const first = messages.findIndex((message) => !isSystem(message));
      const rest = first < 0 ? [] : messages.slice(first);
      const alternates = rest.every((message, index) => roleOf(message) === (index % 2 === 0 ? "user" : "assistant"));
      return alternates && rest.length % 2 === 1
        ? undefined
        : {
            status: 400,
            type: "invalid_message",
            code: "400",
            message: "After the (optional) system message(s), user and assistant roles should be alternating.",
          };
    },
  },
  {
    id: "servers.user-message-missing",
    wires,
    servers: others,
    when: "No user message comes before the first answer: templates of open models raise an error.",
    source: "https://github.com/vllm-project/vllm/issues/36432",
    find: ({ body }) =>
      roleOf(messagesOf(body).find((message) => !isSystem(message))) === "user"
        ? undefined
        : invalidRequest("No user query found in messages.", "messages"),
  },
  {
    id: "servers.arguments-not-object",
    wires,
    servers: others,
    when: "The arguments of an earlier call are not the text of a JSON object: the server parses them for its template.",
    source: "https://github.com/vllm-project/vllm/pull/48922",
    find: ({ body }) =>
      firstProblem(messagesOf(body), (message) =>
        objectsOf(message["tool_calls"]).every(
          (call) => parseObject(textOf(objectOf(call["function"])["arguments"])) !== undefined,
        )
          ? undefined
          : invalidRequest("Failed to parse tool call arguments as JSON: an object was expected.", "messages"),
      ),
  },
  {
    id: "servers.refusal-unknown",
    wires,
    servers: others,
    when: "A message has `refusal`, a field of OpenAI's own: servers with a closed schema refuse fields they do not know.",
    source: "https://github.com/charmbracelet/crush/issues/1590",
    find: ({ body }) =>
      firstProblem(messagesOf(body), (message, index) =>
        message["refusal"] === undefined
          ? undefined
          : { status: 422, message: `Extra inputs are not permitted: body.messages[${index}].assistant.refusal` },
      ),
  },
  {
    id: "servers.answer-empty",
    wires,
    servers: others,
    when: "An assistant message has neither text nor calls.",
    source: "https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py",
    find: ({ body }) =>
      firstProblem(messagesOf(body), (message) => {
        const { content } = message;
        const empty = content === undefined || content === null || content === "" || isEmptyList(content);
        return roleOf(message) === "assistant" && empty && objectsOf(message["tool_calls"]).length === 0
          ? misordered("Assistant message must have either content or tool_calls, but not none.")
          : undefined;
      }),
  },
  {
    id: "servers.reasoning-missing",
    wires,
    servers: ["deepseek", "moonshot"],
    when: "Thinking is on, and an earlier answer with calls comes without `reasoning_content`.",
    source: "https://api-docs.deepseek.com/guides/thinking_mode#tool-calls",
    find: ({ body }) =>
      objectOf(body["thinking"])["type"] === "disabled"
        ? undefined
        : firstProblem(messagesOf(body), (message, index) =>
            objectsOf(message["tool_calls"]).length > 0 && typeof message["reasoning_content"] !== "string"
              ? invalidRequest(
                  `Missing \`reasoning_content\` field in the assistant message at message index ${index}.`,
                )
              : undefined,
          ),
  },
];

const laterSystem = (body: JsonObject): boolean => messagesOf(body).some((message, at) => at > 0 && isSystem(message));
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function misordered(message: string): ReturnType<typeof invalidRequest> {
  return { status: 400, type: "invalid_request_message_order", code: "3230", message };
}
