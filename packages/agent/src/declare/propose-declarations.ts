import { checkArgument, checkKnownNames } from "@bailiwick/core";
import type { ToolExplanation } from "@bailiwick/core";

import type { Declarations, ToolDeclaration } from "./declarations.ts";
import { fieldsOf } from "./sampled-fields.ts";
import type { Samples } from "./sampled-fields.ts";

/** The people who write the results of a tool, as `returns` declares them. */
export type Writers = NonNullable<ToolDeclaration["returns"]>;

/** The part of an agent that proposals are made from. */
export interface ExplainedAgent {
  /** Returns the classification of each tool. */
  explainTools(): Promise<readonly ToolExplanation[]>;
}

/** Question about one field of a tool's results: can people outside the team write it? */
export interface FieldQuestion {
  /** Name of the tool. */
  readonly tool: string;
  /** Path in the result, with `[]` for the items of an array. */
  readonly field: string;
  /** Up to three values that the tool has returned. */
  readonly samples: readonly unknown[];
  /** The question as a sentence. */
  readonly text: string;
}

/** Question about a tool that reads: can people outside the team write what it returns? */
export interface ResultQuestion {
  /** Name of the tool. */
  readonly tool: string;
  /** Up to three values that the tool has returned. */
  readonly samples: readonly unknown[];
  /** The question as a sentence. */
  readonly text: string;
}

/** Options of `proposeDeclarations()`. */
export interface ProposeOptions {
  /** Results of the tools by name, such as from `samplesFrom()`; fields without samples are not classified. */
  readonly samples?: Samples | undefined;
  /**
   * Answers one question for each tool that reads: `own` if only your own systems write its results, `outside` if others
   * do, `mixed` if others write some fields; then `isOwnField` is asked about each field. Default: `mixed` with
   * `isOwnField`, else `outside`.
   */
  readonly whoWrites?: ((question: ResultQuestion) => Writers | Promise<Writers>) | undefined;
  /**
   * Answers a question about a field: `true` if only you and your own systems can write it. Without it every output stays
   * untrusted.
   */
  readonly isOwnField?: ((question: FieldQuestion) => boolean | Promise<boolean>) | undefined;
  /** Earlier declarations: entries of unchanged tools are kept. */
  readonly before?: Declarations | undefined;
}

/**
 * Proposes declarations for an agent's incomplete tools, from guesses about names and schemas and from samples of
 * results. A person reviews them: a guess is not proof. Tools of servers are left out, since `mcp()` classifies them.
 *
 * @param agent - The agent, or anything that explains tools.
 * @param options - Samples of results, and answers to questions about their fields.
 * @returns Declarations by tool name, sorted.
 * @throws ConfigurationError `TOOLS_UNKNOWN` if the agent's tools are resolved for each run.
 * @example
 * ```ts
 * import { Agent, tool } from "@bailiwick/agent";
 * import { declarationsFile, proposeDeclarations } from "@bailiwick/agent/declare";
 * import { openai } from "@bailiwick/providers-openai";
 * import { z } from "zod";
 *
 * const sendMail = tool({
 *   name: "send_mail",
 *   description: "Sends a mail.",
 *   inputSchema: z.object({ to: z.string(), body: z.string() }),
 *   execute: async () => "sent",
 * });
 * const agent = new Agent({ name: "desk", model: openai("gpt-5.5"), tools: [sendMail] });
 *
 * console.log(declarationsFile(await proposeDeclarations(agent)));
 * ```
 */
export async function proposeDeclarations(agent: ExplainedAgent, options: ProposeOptions = {}): Promise<Declarations> {
  checkArgument(agent, "explainTools", "proposeDeclarations(agent, options)");
  checkKnownNames(options, ["samples", "whoWrites", "isOwnField", "before"], "proposeDeclarations()");
  const { before = {} } = options;
  const proposed: Record<string, ToolDeclaration> = {};
  for (const explained of await agent.explainTools()) {
    const tool = { ...explained, ...explained.guess };
    const known = Object.hasOwn(before, tool.name) ? before[tool.name] : undefined;
    if (known !== undefined) proposed[tool.name] = known.definition === tool.definition ? known : renewed(known, tool);
    else if (isOpen(tool)) proposed[tool.name] = await proposalFor(tool, options);
  }
  return Object.fromEntries(Object.entries(proposed).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** True if a tool of the developer declares no effect or no output. */
export function isOpen({ by, declaration }: ToolExplanation): boolean {
  return by !== "source" && declaration !== undefined;
}

/** The declaration of a tool that has changed since: earlier decisions are kept, and new arguments decide. */
function renewed(known: ToolDeclaration, tool: ToolExplanation): ToolDeclaration {
  return {
    ...known,
    ...((known.changes ?? known.sideEffectClass) !== undefined && argumentsOf(tool)),
    definition: tool.definition,
  };
}

function argumentsOf(tool: ToolExplanation): Pick<ToolDeclaration, "decides" | "flow"> {
  const by = (role: ToolExplanation["arguments"][number]["role"]): readonly string[] =>
    tool.arguments.filter((one) => one.role === role).map(({ path }) => path);
  const [authority, payload, egress] = [by("decides"), by("payload"), by("sends")];
  const isWriter = tool.effect === "writer";
  const flow = {
    ...(isWriter && payload.length > 0 && { payload }),
    ...(egress.length > 0 && { egress }),
    ...(isWriter && tool.grave && { grave: true }),
  };
  return {
    ...(isWriter && authority.length > 0 && { decides: authority }),
    ...(Object.keys(flow).length > 0 && { flow }),
  };
}

async function proposalFor(tool: ToolExplanation, options: ProposeOptions): Promise<ToolDeclaration> {
  return {
    ...(tool.by !== "declared" && {
      changes: tool.effect === "reader" ? "nothing" : tool.outward ? "outside" : "own",
      ...argumentsOf(tool),
    }),
    ...(tool.output.by === "default" && (await resultsOf(tool, options))),
    why: tool.why,
    definition: tool.definition,
  };
}

/** Most values that a question about a tool shows. */
const valuesShown = 3;

/** The declaration of a tool's results, as the person answers. */
async function resultsOf(
  tool: ToolExplanation,
  { samples = {}, whoWrites, isOwnField }: ProposeOptions,
): Promise<Pick<ToolDeclaration, "returns" | "output">> {
  const results = Object.hasOwn(samples, tool.name) ? (samples[tool.name] ?? []) : [];
  const text = `Can someone outside write what ${tool.name} returns?`;
  const question = { tool: tool.name, samples: results.slice(0, valuesShown), text };
  const unasked = isOwnField === undefined ? "outside" : "mixed";
  // The result of a writer often repeats what others wrote, so nothing is proposed for it.
  const isAsked = whoWrites !== undefined && tool.effect === "reader";
  const returns = isAsked ? await whoWrites(question) : whoWrites === undefined ? unasked : "outside";
  if (returns !== "mixed") return { returns };
  const fields: Record<string, { readonly integrity: "verified" }> = {};
  for (const { path, values } of fieldsOf(results)) {
    const about = `Can people outside your team write "${path}" of the results of ${tool.name}?`;
    const isOwn = await isOwnField?.({ tool: tool.name, field: path, samples: values, text: about });
    if (isOwn === true) fields[path] = { integrity: "verified" };
  }
  return Object.keys(fields).length === 0
    ? { returns: whoWrites === undefined ? "outside" : "mixed" }
    : { output: { integrity: "untrusted", fields } };
}
