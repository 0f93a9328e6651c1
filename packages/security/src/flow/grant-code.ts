import type { Grant, FlowExplanation } from "@bailiwick/core";

/** Grants as code for the options of a run or of an agent. */
export function grantCode(grants: readonly Grant[]): string {
  return grants.length === 0 ? "grants: []" : `grants: [\n${grants.map((grant) => `  ${literal(grant)},\n`).join("")}]`;
}

/** A grant for a tool with values left to fill in. */
export function grantToFill(tool: FlowExplanation): string {
  const args = tool.arguments.map(
    ({ path, role }) => `${name(path)}: ${role === "payload" ? "{ composed: true }" : '{ oneOf: ["…"] }'}`,
  );
  return `{ tool: ${JSON.stringify(tool.name)}, args: {${args.length === 0 ? "" : ` ${args.join(", ")} `}} }`;
}

/** A JSON value as a TypeScript literal on one line. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.length === 0
    ? "{}"
    : `{ ${members.map(([key, member]) => `${name(key)}: ${literal(member)}`).join(", ")} }`;
}

function name(key: string): string {
  return /^[A-Za-z_$][\w$]*$/u.test(key) ? key : JSON.stringify(key);
}
