import type { ModelServerWire } from "../wire-name.ts";
import type { Refusal } from "../refusal.ts";
import { invalidRequest } from "./openai-error.ts";

const errorCodes = "https://developers.openai.com/api/docs/guides/error-codes";

/** Refusals of both OpenAI APIs before they read the body. */
export function openaiAccessRefusals(wire: ModelServerWire): readonly Refusal[] {
  return [
    {
      id: "openai.key-missing",
      wires: [wire],
      when: "There is no key in an Authorization header with Bearer.",
      source: errorCodes,
      find: ({ key }) =>
        key
          ? undefined
          : {
              status: 401,
              type: "invalid_request_error",
              param: null,
              code: null,
              message:
                "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY). You can obtain an API key from https://platform.openai.com/account/api-keys.",
            },
    },
    {
      id: "openai.key-invalid",
      wires: [wire],
      when: "The key is not one of the server's `keys`.",
      source: errorCodes,
      find: ({ key, keys }) =>
        keys === undefined || keys.includes(key ?? "")
          ? undefined
          : {
              status: 401,
              type: "invalid_request_error",
              param: null,
              code: "invalid_api_key",
              message: `Incorrect API key provided: ${masked(key ?? "")}. You can find your API key at https://platform.openai.com/account/api-keys.`,
            },
    },
    {
      id: "openai.model-missing",
      wires: [wire],
      when: "The body names no model.",
      source: "https://developers.openai.com/api/reference/resources/responses/methods/create",
      find: ({ body }) =>
        typeof body["model"] === "string" && body["model"] !== ""
          ? undefined
          : invalidRequest("you must provide a model parameter"),
    },
    {
      id: "openai.model-unknown",
      wires: [wire],
      when: "The model is not one of the server's `models`.",
      source: errorCodes,
      find: ({ request, models }) =>
        models === undefined || models.includes(request.model)
          ? undefined
          : {
              status: 404,
              type: "invalid_request_error",
              param: null,
              code: "model_not_found",
              message: `The model \`${request.model}\` does not exist or you do not have access to it.`,
            },
    },
  ];
}

function masked(key: string): string {
  return key.length > 8 ? `${key.slice(0, 4)}${"*".repeat(key.length - 8)}${key.slice(-4)}` : "*".repeat(key.length);
}
