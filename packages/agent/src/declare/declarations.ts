import { registrationOf, checkArgument } from "@bailiwick/core/extension";
import { resolveTool } from "@bailiwick/core";
import type { Integrity, SideEffectClass, Tool } from "@bailiwick/core";

/** Declaration of one tool, with the definition of the tool that it was made for. */
export interface ToolDeclaration {
  /** The state that a call changes; absent if the tool itself declares its effect. */
  readonly changes?: Tool["changes"];
  /** The people who write what the tool returns; absent if the tool itself declares its output. */
  readonly returns?: Tool["returns"];
  /** Paths of the arguments that decide, with `[]` for the items of an array. */
  readonly decides?: readonly string[] | undefined;
  /** The long form of `changes`. */
  readonly sideEffectClass?: SideEffectClass | undefined;
  /** Roles of other arguments, and the long form of `decides`. */
  readonly flow?:
    | {
        readonly authority?: readonly string[] | undefined;
        readonly payload?: readonly string[] | undefined;
        readonly egress?: readonly string[] | undefined;
        readonly grave?: boolean | undefined;
      }
    | undefined;
  /** The long form of `returns`, with the integrity of single fields. */
  readonly output?:
    | {
        readonly integrity: Exclude<Integrity, "user">;
        readonly fields?: Readonly<Record<string, { readonly integrity: Exclude<Integrity, "user"> }>> | undefined;
      }
    | undefined;
  /** Reasons of the proposal, for the person who reviews it. */
  readonly why?: string | undefined;
  /**
   * Hash of name, description and input schema. A declaration is valid for this definition only; `""`, written by hand,
   * for any.
   */
  readonly definition: string;
}

/** Declarations by tool name, as `bailiwick declare` writes them. */
export type Declarations = Readonly<Record<string, ToolDeclaration>>;

/**
 * Adds declarations to tools. A tool's own declarations win: only missing fields are filled in. Tools without an entry,
 * and tools of servers and skills, are unchanged. A tool that has changed since its declaration counts as a writer with
 * untrusted output until the entry is reviewed, and the console gets a warning; code of a sandboxed module is not
 * compared.
 *
 * @param tools - Tools of an agent.
 * @param declarations - Declarations by tool name.
 * @returns The tools in the same order.
 * @example
 * ```ts
 * import { Agent, tool } from "@bailiwick/agent";
 * import { declared, type Declarations } from "@bailiwick/agent/declare";
 * import { openai } from "@bailiwick/providers-openai";
 * import { z } from "zod";
 *
 * const declarations: Declarations = {
 *   search_mail: { changes: "nothing", returns: "outside", definition: "" },
 * };
 * const searchMail = tool({
 *   name: "search_mail",
 *   description: "Searches the mailbox.",
 *   inputSchema: z.object({ words: z.string() }),
 *   execute: async ({ words }) => [{ subject: words }],
 * });
 *
 * export const agent = new Agent({
 *   name: "desk",
 *   model: openai("gpt-5.5"),
 *   tools: declared([searchMail], declarations),
 * });
 * ```
 */
export function declared<const Tools extends readonly Tool[]>(tools: Tools, declarations: Declarations): Tools {
  checkArgument(tools, "array", "declared(tools, declarations)");
  checkArgument(declarations, "object", "declared(tools, declarations)");
  return tools.map((tool) => {
    const found = Object.hasOwn(declarations, tool.name) ? declarations[tool.name] : undefined;
    if (found === undefined || registrationOf(tool).source.kind !== "first-party") return tool;
    const terms = isFor(tool, found) ? found : reviewAgain(tool, found);
    return Object.freeze({ ...tool, ...Object.fromEntries(topics.flatMap((topic) => filledIn(topic, tool, terms))) });
  }) as unknown as Tools;
}

/** Compares the tool with the definition that was declared. The code of a module has no hash before an agent reads it. */
function isFor(tool: Tool, { definition }: ToolDeclaration): boolean {
  if (definition === "" || typeof tool.execute !== "function") return true;
  const { name, description, inputSchema } = tool;
  const plain: Tool = { name, description, inputSchema, execute: () => undefined };
  const { __definitionHash: now } = resolveTool(plain);
  return now === definition;
}

/** The strictest reading of a tool: all its arguments decide, and its output is untrusted. */
function reviewAgain({ name }: Tool, { flow }: ToolDeclaration): Omit<ToolDeclaration, "definition"> {
  console.warn(
    `The tool "${name}" has changed since it was declared, so it counts as a writer with untrusted output. Review its entry, or run "npx bailiwick declare --write".`,
  );
  return {
    changes: "outside",
    returns: "outside",
    ...(flow?.grave === true && { flow: { grave: true } }),
  };
}

/** The fields of a declaration by topic: a tool that declares one of a topic's fields decides the topic. */
const topics = [
  ["changes", "sideEffectClass"],
  ["decides", "flow"],
  ["returns", "output"],
] as const;

function filledIn(
  topic: (typeof topics)[number],
  tool: Tool,
  terms: Omit<ToolDeclaration, "definition">,
): readonly (readonly [string, unknown])[] {
  if (topic.some((field) => tool[field] !== undefined)) return [];
  return topic.flatMap((field) => (terms[field] === undefined ? [] : [[field, terms[field]] as const]));
}
