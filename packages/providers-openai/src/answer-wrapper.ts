import type { AssistantPart, EmitChunk, EventMapper, JsonSchema, ModelResponse } from "@bailiwick/core/provider";

/** Keywords that are refused at the root. */
const unions = ["anyOf", "oneOf", "allOf", "$ref", "enum", "const", "not"] as const;

/**
 * The schema of an answer as OpenAI accepts it: an object at the root. Lists, texts and unions are wrapped in an object
 * with one key, which is removed before the answer is shown.
 *
 * @param schema - The schema of the answer.
 */
export function wrapAnswer(schema: JsonSchema): { readonly schema: JsonSchema; readonly wrapped: boolean } {
  const isObject = schema["type"] === "object" && !unions.some((name) => name in schema);
  if (isObject) return { schema, wrapped: false };
  const { $schema: _dialect, $defs, definitions, ...rest } = schema;
  // References count from the root, so their targets stay there.
  const shared = { ...($defs === undefined ? {} : { $defs }), ...(definitions === undefined ? {} : { definitions }) };
  return { schema: { type: "object", properties: { value: rest }, required: ["value"], ...shared }, wrapped: true };
}

const head = /^\s*\{\s*"value"\s*:\s*/;

/** A text without the brace that closes the wrapper. */
function withoutTail(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.endsWith("}") ? trimmed.slice(0, -1).trimEnd() : text;
}

/** Position at which a text's last white space and braces begin. A pattern would take quadratic time for long ones. */
function endOfValue(text: string): number {
  let end = text.length;
  while (end > 0 && /[\s}]/.test(text.charAt(end - 1))) end -= 1;
  return end;
}

/**
 * An answer without its wrapper.
 *
 * @param response - The answer to a request with a wrapped schema.
 */
export function unwrapResponse(response: ModelResponse): ModelResponse {
  const content = response.message.content.map((part): AssistantPart =>
    part.type === "text" ? { ...part, text: unwrapText(part.text) } : part,
  );
  return { ...response, message: { ...response.message, content } };
}

function unwrapText(text: string): string {
  return head.test(text) ? withoutTail(text.replace(head, "")) : text;
}

/**
 * A mapper that removes the wrapper from the text.
 *
 * @param mapper - The mapper of the answer to a request with a wrapped schema.
 */
export function unwrapStream(mapper: EventMapper): EventMapper {
  let begun = false;
  let wrapped = false;
  let held = "";

  const text = (piece: string, emit: EmitChunk): void => {
    held += piece;
    if (!begun) {
      // The first character of the value decides whether it is one.
      if ('{"value":'.startsWith(held.replaceAll(/\s/g, ""))) return;
      begun = true;
      wrapped = head.test(held);
      held = held.replace(head, "");
    }
    // White space and braces at the end may close the wrapper, so they are held until more text
    // arrives.
    const end = wrapped ? endOfValue(held) : held.length;
    if (end > 0) emit({ type: "text", text: held.slice(0, end) });
    held = held.slice(end);
  };

  const finish = (emit: EmitChunk): void => {
    const rest = wrapped ? withoutTail(held) : held;
    held = "";
    if (rest !== "") emit({ type: "text", text: rest });
  };

  const filter =
    (emit: EmitChunk): EmitChunk =>
    (chunk) => {
      if (chunk.type === "text" && chunk.commentary !== true) text(chunk.text, emit);
      else if (chunk.type === "finish") {
        finish(emit);
        emit({ ...chunk, response: unwrapResponse(chunk.response) });
      } else emit(chunk);
    };
  return {
    event: (data, emit) => mapper.event(data, filter(emit)),
    end: (stray, emit) => mapper.end(stray, filter(emit)),
    failure: (error, aborted) => mapper.failure(error, aborted),
  };
}
