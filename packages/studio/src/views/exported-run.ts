import type { AssistantMessage, JournalEvent } from "@bailiwick/core";
import { inputText } from "@bailiwick/core/store";
import type { StudioExport } from "./view-types.ts";

/** One step of a script for `scriptedModel()`. */
interface Step {
  readonly text?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: unknown }[];
}

/**
 * A finished run as a test with the recorded answers of its model, or as one case for an evaluation.
 *
 * @param events - The journal, in order.
 * @param kind - `test` or `case`.
 */
export function exportedRun(events: readonly JournalEvent[], kind: "test" | "case"): StudioExport {
  const start = events.find((event) => event.type === "run.start");
  const end = events.findLast((event) => event.type === "run.end");
  const input = inputText(start?.input?.at(-1)?.content);
  const agent = start?.agentName ?? "agent";
  const calls = events
    .filter((event) => event.type === "tool.call")
    .map(({ toolName, args }) => ({ tool: toolName, args }));
  const name = fileName(input === "" ? agent : input);
  if (kind === "case") {
    const line = { agent, input, expected: { answer: end?.text ?? "", stopReason: end?.stopReason, calls } };
    return { name: `${name}.case.json`, text: `${JSON.stringify(line, null, 2)}\n` };
  }
  return { name: `${name}.test.ts`, text: testOf({ agent, input, calls, steps: stepsOf(events), end }) };
}

/** Modules of a saved test. */
const imports = ['import { scriptedModel } from "@bailiwick/testing";', 'import { expect, test } from "vitest";'];
const agentImport = 'import { agent } from "../src/agent.ts";';

interface TestParts {
  readonly agent: string;
  readonly input: string;
  readonly calls: readonly { readonly tool: string; readonly args: unknown }[];
  readonly steps: readonly Step[];
  readonly end: Extract<JournalEvent, { readonly type: "run.end" }> | undefined;
}

function testOf({ agent, input, calls, steps, end }: TestParts): string {
  const title = `${agent}: ${input.replaceAll(/\s+/gu, " ").trim().slice(0, 80)}`;
  return `${imports.join("\n")}
// The module that exports the agent "${agent}".
${agentImport}

// The recorded answers of the model.
const steps = ${code(steps)};

test(${code(title)}, async () => {
  const output = await agent.run(${code(input)}, { model: scriptedModel(steps) });
  expect(output.stopReason).toBe(${code(end?.stopReason ?? "completed")});
  expect(output.toolCalls.map(({ toolName }) => toolName)).toEqual(${code(calls.map(({ tool }) => tool))});
  expect(output.text).toBe(${code(end?.text ?? "")});
});
`;
}

/** The answers of the conversation; calls outside it, such as summaries, are made by the framework. */
function stepsOf(events: readonly JournalEvent[]): readonly Step[] {
  return events.flatMap((event) => {
    if (event.type !== "model.result" || (event.purpose ?? "turn") !== "turn" || event.error !== undefined) return [];
    const { message }: { readonly message?: AssistantMessage | undefined } = event;
    if (message === undefined) return [];
    const text = message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
    const toolCalls = message.toolCalls.map((call) => ({ name: call.name, arguments: call.input ?? call.arguments }));
    return [{ ...(text !== "" && { text }), ...(toolCalls.length > 0 && { toolCalls }) }];
  });
}

/** JSON that is also a literal of TypeScript: the separators that JSON allows in texts are escaped. */
function code(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

function fileName(text: string): string {
  const name = text
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/gu, "");
  return name.slice(0, 48).replace(/-+$/u, "") || "run";
}
