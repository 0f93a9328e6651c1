import { isRecord } from "./records.ts";

/** Member of a listed tool's metadata that keeps a hint which the protocol's client does not know. */
const sensitiveKey = "bailiwick/sensitive";

type Message = Readonly<Record<string, unknown>>;

/** Keeps `sensitiveHint` of listed tools: the protocol's client drops annotations that it does not know. */
export function withSensitiveHints(message: Message): Message {
  const { result } = message;
  if (!isRecord(result) || !Array.isArray(result["tools"])) return message;
  return { ...message, result: { ...result, tools: result["tools"].map(marked) } };
}

/** True if the server says that the results of a tool are sensitive. */
export function isSensitive({ _meta }: { readonly _meta?: unknown }): boolean {
  return isRecord(_meta) && _meta[sensitiveKey] === true;
}

function marked(tool: unknown): unknown {
  if (!isRecord(tool) || !isRecord(tool["annotations"]) || tool["annotations"]["sensitiveHint"] !== true) return tool;
  return { ...tool, _meta: { ...(isRecord(tool["_meta"]) && tool["_meta"]), [sensitiveKey]: true } };
}
