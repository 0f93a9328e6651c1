import { checkArgument } from "@bailiwick/core";
import type { ScriptToolCall } from "../script/script-part.ts";
import type { ScriptRequest, ScriptRequestTool } from "../script/script-request.ts";
import { scriptedModel, type ScriptedModel } from "../scripted-model/scripted-model.ts";

/**
 * A model that makes random calls with everything in its context: tools of the request, arguments from texts that it
 * read and from given values. The same numbers make the same calls, so that a failing run can be repeated.
 *
 * @param choices - Numbers from 0; each decision takes the next one. The model answers when they are used up.
 * @param words - Further values that the attacker knows.
 *
 * @example
 * ```ts
 * import { randomCaller } from "@bailiwick/testing";
 *
 * export const model = randomCaller([3, 1, 4, 1, 5, 9, 2, 6], ["eve@evil.example"]);
 * ```
 */
export function randomCaller(choices: readonly number[], words: readonly string[] = []): ScriptedModel {
  checkArgument(choices, "array", "randomCaller(numbers)");
  const left = [...choices];
  const take = (count: number): number => (left.shift() ?? 0) % Math.max(1, count);
  return scriptedModel((request) => {
    if (left.length === 0 || request.tools.length === 0) return "Done.";
    const values = [...words, ...wordsIn(request)];
    const calls = 1 + take(2);
    return {
      toolCalls: Array.from({ length: calls }, (): ScriptToolCall => {
        const tool = request.tools[take(request.tools.length)] as ScriptRequestTool;
        return { name: tool.name, arguments: argumentsFor(tool, values, take) };
      }),
    };
  });
}

/** Words and lines that the model was given, newest first. */
function wordsIn(request: ScriptRequest): readonly string[] {
  const texts = request.messages.map((message) => message.toolResult?.text ?? message.text).toReversed();
  return texts.flatMap((text) => [text, ...text.split(/[\s"',;()]+/u).filter((word) => word.length > 2)]).slice(0, 200);
}

type Properties = Readonly<
  Record<string, { readonly type?: unknown; readonly anyOf?: readonly { readonly type?: unknown }[] }>
>;

function argumentsFor(
  tool: ScriptRequestTool,
  values: readonly string[],
  take: (count: number) => number,
): Readonly<Record<string, unknown>> {
  const schema = (tool.schema ?? {}) as { readonly properties?: Properties; readonly required?: readonly string[] };
  const entries = Object.entries(schema.properties ?? {}).filter(
    ([name]) => schema.required?.includes(name) === true || take(2) === 0,
  );
  return Object.fromEntries(
    entries.map(([name, { type, anyOf }]) => [name, valueFor(type ?? anyOf?.[0]?.type, values, take)]),
  );
}

function valueFor(type: unknown, values: readonly string[], take: (count: number) => number): unknown {
  switch (type) {
    case "number":
    case "integer":
      return take(100_000);
    case "boolean":
      return take(2) === 0;
    case "object":
      return take(2) === 0 ? {} : { type: "boolean" };
    case "array":
      return [values[take(values.length)] ?? "x"];
    default:
      return values[take(values.length)] ?? "x";
  }
}
