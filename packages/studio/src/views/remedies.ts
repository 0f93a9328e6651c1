import type { JournalEvent, Question } from "@bailiwick/core";
import type { FlowRemedy } from "./authority-types.ts";

/** Maximum number of sources for which a declaration is proposed. */
const mostSources = 3;

/** The rule that keeps private data inside. */
const privateRule = "R4";

/** The tools whose results a call was derived from. */
export interface RemedySources {
  /** The tool behind the id of a call, or `undefined`. */
  readonly toolOf: (callId: string) => string | undefined;
  /** Tools that returned private data to the run before the call. */
  readonly privateTools: readonly string[];
}

/**
 * Code that makes a question unnecessary: a grant for this very call, a declaration for each tool whose output counts as
 * untrusted and has a value that decides, and one for each tool whose private data the call would show.
 *
 * @param question - The question of the call.
 * @param call - Its record.
 * @param sources - The tools whose results the call was derived from.
 */
export function remediesOf(
  question: Question,
  call: Extract<JournalEvent, { readonly type: "tool.call" }>,
  { toolOf, privateTools }: RemedySources,
): readonly FlowRemedy[] {
  const untrusted = question.values.flatMap(({ decides, origin }) =>
    decides && !origin.trusted && origin.callId !== undefined ? [toolOf(origin.callId)] : [],
  );
  const shared = question.developer.rules.includes(privateRule) ? privateTools : [];
  const sources = [...new Set(untrusted.filter((name) => name !== undefined))].slice(0, mostSources);
  return [
    {
      text: `Allow this call in advance, once. Pass the grant to the run that needs it. A tool with "needsApproval" still asks.`,
      code: grantCode(question, call, shared),
    },
    ...sources.map((name) => ({
      text: `If each field of "${name}" comes from your own systems, declare its output as verified. Do not do so for text that strangers write.`,
      code: `tool({\n  name: ${JSON.stringify(name)},\n  output: { integrity: "verified" },\n  // …\n})`,
    })),
    ...shared.slice(0, mostSources).map((name) => ({
      text: `If everyone may see what "${name}" returns, declare its output as public. Do not do so for data of customers.`,
      code: `tool({\n  name: ${JSON.stringify(name)},\n  output: { readers: "public" },\n  // …\n})`,
    })),
  ];
}

function grantCode(
  question: Question,
  { toolName, args }: Extract<JournalEvent, { readonly type: "tool.call" }>,
  shared: readonly string[],
): string {
  const decides = new Set(question.values.filter((value) => value.decides).map(({ path }) => path));
  const lines = leavesOf(args, "").map(([path, value]) => {
    const limit = typeof value === "number" ? "max" : "eq";
    const allowed =
      decides.has(path) || decides.size === 0 ? `{ ${limit}: ${JSON.stringify(value)} }` : "{ composed: true }";
    return `      ${JSON.stringify(path)}: ${allowed},\n`;
  });
  // A grant without a source does not allow a call to contain private data.
  const from = shared.map((name) => `{ tool: ${JSON.stringify(name)} }`);
  const fromLine = from.length === 0 ? "" : `    from: [${from.join(", ")}],\n`;
  return `agent.run(input, {\n  grants: [{\n    tool: ${JSON.stringify(toolName)},\n    args: {\n${lines.join("")}    },\n${fromLine}  }],\n})`;
}

function leavesOf(value: unknown, path: string): readonly (readonly [path: string, value: unknown])[] {
  if (typeof value !== "object" || value === null) return path === "" ? [] : [[path, value]];
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, `${path}[${index}]`));
  return Object.entries(value).flatMap(([name, item]) => leavesOf(item, path === "" ? name : `${path}.${name}`));
}
