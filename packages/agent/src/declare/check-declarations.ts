import { checkArgument } from "@bailiwick/core";
import type { Declarations } from "./declarations.ts";
import { isOpen } from "./propose-declarations.ts";
import type { ExplainedAgent } from "./propose-declarations.ts";

/** A difference between an agent's tools and their declarations. */
export interface DeclarationProblem {
  /** Name of the tool. */
  readonly tool: string;
  /**
   * `missing`: the tool has no declaration. `changed`: the tool differs from the declared one. `gone`: the declared
   * tool does not exist.
   */
  readonly problem: "missing" | "changed" | "gone";
  /** The problem as a sentence, with what to do. */
  readonly text: string;
}

/**
 * Compares declarations with the tools of an agent, for CI: a new or changed tool is a problem.
 *
 * @param agent - The agent, with or without `declared()`.
 * @param declarations - The declarations that you reviewed: the default export of `declarations.ts`.
 * @returns Problems in the order of the tools; empty if there are none.
 * @throws ConfigurationError `TOOLS_UNKNOWN` if the agent's tools are resolved for each run.
 * @example
 * ```ts
 * import type { Agent } from "@bailiwick/agent";
 * import { checkDeclarations, type Declarations } from "@bailiwick/agent/declare";
 *
 * export async function check(agent: Agent, declarations: Declarations): Promise<void> {
 *   const problems = await checkDeclarations(agent, declarations);
 *   for (const { text } of problems) console.error(text);
 *   if (problems.length > 0) process.exitCode = 1;
 * }
 * ```
 */
export async function checkDeclarations(
  agent: ExplainedAgent,
  declarations: Declarations,
): Promise<readonly DeclarationProblem[]> {
  checkArgument(agent, "explainTools", "checkDeclarations(agent, declarations)");
  checkArgument(declarations, "object", "checkDeclarations(agent, declarations)");
  const problems: DeclarationProblem[] = [];
  const all = await agent.explainTools();
  for (const { name, definition } of all) {
    if (Object.hasOwn(declarations, name) && declarations[name]?.definition !== definition) {
      const text = `The tool "${name}" has changed since it was declared. Review its entry, or run "npx bailiwick declare --write".`;
      problems.push({ tool: name, problem: "changed", text });
    }
  }
  for (const tool of all) {
    const { name } = tool;
    if (!isOpen(tool) || Object.hasOwn(declarations, name)) continue;
    const text = `The tool "${name}" leaves its effect or its output undeclared. Run "npx bailiwick declare --write", or declare it in the tool.`;
    problems.push({ tool: name, problem: "missing", text });
  }
  for (const name of Object.keys(declarations)) {
    if (all.some((tool) => tool.name === name)) continue;
    problems.push({ tool: name, problem: "gone", text: `There is no tool "${name}". Remove its declaration.` });
  }
  return problems;
}
