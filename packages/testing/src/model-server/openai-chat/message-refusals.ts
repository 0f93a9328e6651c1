import type { Refusal } from "../refusal.ts";
import { objectOf, objectsOf, textOf, type JsonObject } from "../json.ts";
import { invalidRequest, missingParameter } from "../openai/openai-error.ts";
import { firstProblem, lengthProblem, nameProblem } from "../openai/string-limits.ts";

const wires = ["openai-chat"] as const;
const create = "https://developers.openai.com/api/reference/resources/chat/subresources/completions/methods/create";
const functionCalling = "https://developers.openai.com/api/docs/guides/function-calling";
const roles = ["system", "assistant", "user", "function", "tool", "developer"];

/** Refusals of Chat Completions about messages and their order. */
export const chatMessageRefusals: readonly Refusal[] = [
  {
    id: "chat.messages-missing",
    wires,
    when: "There are no messages.",
    source: create,
    find: ({ body: { messages } }) => {
      if (!Array.isArray(messages)) return missingParameter("messages");
      return messages.length > 0
        ? undefined
        : invalidRequest(
            "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
            "messages",
            "empty_array",
          );
    },
  },
  {
    id: "chat.role-unknown",
    wires,
    when: "A message has a role that does not exist.",
    source: create,
    find: ({ body }) =>
      firstProblem(objectsOf(body["messages"]), (message, index) =>
        roles.includes(textOf(message["role"]))
          ? undefined
          : invalidRequest(
              `Invalid value: '${textOf(message["role"])}'. Supported values are: ${roles.map((role) => `'${role}'`).join(", ")}.`,
              `messages[${index}].role`,
              "invalid_value",
            ),
      ),
  },
  {
    id: "chat.name-invalid",
    wires,
    when: "The name of a participant has other letters than the vendor takes.",
    source: "https://github.com/FlowiseAI/Flowise/issues/2948",
    find: ({ body }) =>
      firstProblem(objectsOf(body["messages"]), (message, index) =>
        message["name"] === undefined ? undefined : nameProblem(textOf(message["name"]), `messages[${index}].name`),
      ),
  },
  {
    id: "chat.content-null",
    wires,
    when: "A message has no content; only an assistant's with tool calls may.",
    source: create,
    find: ({ body }) =>
      firstProblem(objectsOf(body["messages"]), (message, index) => {
        const mayBeEmpty =
          message["role"] === "assistant" &&
          (message["tool_calls"] != null ||
            message["refusal"] != null ||
            message["audio"] != null ||
            message["function_call"] != null);
        return message["content"] != null || mayBeEmpty
          ? undefined
          : invalidRequest("Invalid value for 'content': expected a string, got null.", `messages.[${index}].content`);
      }),
  },
  {
    id: "chat.tool-calls-empty",
    wires,
    when: "`tool_calls` is an empty array.",
    source: create,
    find: ({ body }) =>
      firstProblem(objectsOf(body["messages"]), (message, index) => {
        const calls = message["tool_calls"];
        const at = `messages[${index}].tool_calls`;
        return Array.isArray(calls) && calls.length === 0
          ? invalidRequest(
              `Invalid '${at}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
              at,
              "empty_array",
            )
          : undefined;
      }),
  },
  {
    id: "chat.call-id-too-long",
    wires,
    when: "A tool call's id is longer than 40 characters.",
    source: create,
    find: ({ body }) =>
      firstProblem(
        objectsOf(body["messages"]),
        (message, index) =>
          firstProblem(objectsOf(message["tool_calls"]), (call, at) =>
            lengthProblem(textOf(call["id"]), `messages[${index}].tool_calls[${at}].id`, 40),
          ) ?? lengthProblem(textOf(message["tool_call_id"]), `messages[${index}].tool_call_id`, 40),
      ),
  },
  {
    id: "chat.call-name-invalid",
    wires,
    when: "A call's name is not 1 to 64 letters, digits, `_` or `-`.",
    source: functionCalling,
    find: ({ body }) =>
      firstProblem(objectsOf(body["messages"]), (message, index) =>
        firstProblem(objectsOf(message["tool_calls"]), (call, at) =>
          call["type"] === "function"
            ? nameProblem(
                textOf(objectOf(call["function"])["name"]),
                `messages[${index}].tool_calls[${at}].function.name`,
              )
            : undefined,
        ),
      ),
  },
  {
    id: "chat.tool-image",
    wires,
    when: "A tool message has an image; images are for user messages.",
    source: create,
    find: ({ body }) =>
      firstProblem(objectsOf(body["messages"]), (message, index) =>
        message["role"] !== "user" && objectsOf(message["content"]).some((part) => part["type"] === "image_url")
          ? invalidRequest(
              `Invalid 'messages[${index}]'. Image URLs are only allowed for messages with role 'user', but this message with role '${textOf(message["role"])}' contains an image URL.`,
              `messages[${index}]`,
              "invalid_value",
            )
          : undefined,
      ),
  },
  {
    id: "chat.tool-message-without-call",
    wires,
    when: "A tool message does not answer a call of the assistant message before it.",
    source: functionCalling,
    find: ({ body }) => {
      const messages = objectsOf(body["messages"]);
      return firstProblem(messages, (message, index) => {
        if (message["role"] !== "tool") return undefined;
        const caller = messages.slice(0, index).findLast((earlier) => earlier["role"] !== "tool");
        return callIds(caller ?? {}).includes(textOf(message["tool_call_id"]))
          ? undefined
          : invalidRequest(
              "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
              `messages.[${index}].role`,
            );
      });
    },
  },
  {
    id: "chat.calls-without-tool-messages",
    wires,
    when: "An assistant message with calls is not directly followed by a tool message for each.",
    source: functionCalling,
    find: ({ body }) => {
      const messages = objectsOf(body["messages"]);
      return firstProblem(messages, (message, index) => {
        const after = messages.slice(index + 1);
        const end = after.findIndex((later) => later["role"] !== "tool");
        const answered = (end === -1 ? after : after.slice(0, end)).map((later) => later["tool_call_id"]);
        const open = callIds(message).filter((id) => !answered.includes(id));
        return open.length === 0
          ? undefined
          : invalidRequest(
              `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(", ")}`,
              "messages",
            );
      });
    },
  },
];

function callIds(message: JsonObject): readonly string[] {
  return message["role"] === "assistant" ? objectsOf(message["tool_calls"]).map((call) => textOf(call["id"])) : [];
}
