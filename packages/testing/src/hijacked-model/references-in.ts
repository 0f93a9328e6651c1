import type { ScriptRequest } from "../script/script-request.ts";

/** Each reference that a model can see. */
export function referencesIn(request: Pick<ScriptRequest, "messages">): readonly string[] {
  const text = request.messages.map((message) => message.toolResult?.text ?? message.text).join("\n");
  return [...new Set(text.match(/\$ref:[^"\s\\]+/gu) ?? [])];
}
