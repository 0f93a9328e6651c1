import type { JournalEvent, Question } from "@bailiwick/core";
import type { FlowRemedy } from "./view-types.ts";

/** Most sources for which a declaration is proposed. */
const mostSources = 3;

/**
 * Code that makes a question unnecessary: a grant for this very call, and a declaration for each tool whose output counts as
 * untrusted and has a value that decides.
 *
 * @param question - The question of the call.
 * @param call - Its record.
 * @param nameOf - The tool behind the id of a call, or `undefined`.
 */
export function remediesOf(
  question: Question,
  call: Extract<JournalEvent, { readonly type: "tool.call" }>,
  nameOf: (callId: string) => string | undefined,
): readonly FlowRemedy[] {
  const untrusted = question.values.flatMap(({ decides, origin }) =>
    decides && !origin.trusted && origin.callId !== undefined ? [nameOf(origin.callId)] : [],
  );
  const sources = [...new Set(untrusted.filter((name) => name !== undefined))].slice(0, mostSources);
  return [
    {
      text: `Allow this call in advance, once. Pass the grant to the run that needs it.`,
      code: grantCode(question, call),
    },
    ...sources.map((name) => ({
      text: `If each field of "${name}" comes from your own systems, declare its output as verified. Do not do so for text that strangers write.`,
      code: `tool({\n  name: ${JSON.stringify(name)},\n  output: { integrity: "verified" },\n  // …\n})`,
    })),
  ];
}

function grantCode(
  question: Question,
  { toolName, args }: Extract<JournalEvent, { readonly type: "tool.call" }>,
): string {
  const decides = new Set(question.values.filter((value) => value.decides).map(({ path }) => path));
  const lines = leavesOf(args, "").map(([path, value]) => {
    const limit = typeof value === "number" ? "max" : "eq";
    const allowed =
      decides.has(path) || decides.size === 0 ? `{ ${limit}: ${JSON.stringify(value)} }` : "{ composed: true }";
    return `      ${JSON.stringify(path)}: ${allowed},\n`;
  });
  return `agent.run(input, {\n  grants: [{\n    tool: ${JSON.stringify(toolName)},\n    args: {\n${lines.join("")}    },\n  }],\n})`;
}

function leavesOf(value: unknown, path: string): readonly (readonly [path: string, value: unknown])[] {
  if (typeof value !== "object" || value === null) return path === "" ? [] : [[path, value]];
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, `${path}[${index}]`));
  return Object.entries(value).flatMap(([name, item]) => leavesOf(item, path === "" ? name : `${path}.${name}`));
}
