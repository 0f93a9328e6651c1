import type { ArgumentExplanation, FlowExplanation, FlowOptions, Grant, ResolvedTool, Warning } from "@bailiwick/core";

import { grantProblem } from "./check-grant.ts";
import { guessTools, type ToolGuess } from "./guess-tool.ts";
import { isOwnVoice } from "./tool-source.ts";
import { isAssumed, modeOf, sinkOf, undeclaredOf } from "./sinks.ts";
import { rolesIn } from "./guessed-roles.ts";
import { placeAt, rolesOf, type Role, type ToolRoles } from "./tool-roles.ts";

/** The tools of an agent, and the options that bind them. */
export interface ExplainedAgent {
  readonly options: FlowOptions;
  readonly tools: readonly ResolvedTool[];
}

/** [flow.explain] Explains each tool: its effect, and why. */
export function explainTools(agent: ExplainedAgent): readonly FlowExplanation[] {
  return agent.tools.filter((tool) => tool.__source.kind !== "built-in").map((tool) => explainTool(tool, agent));
}

function explainTool(tool: ResolvedTool, { options, tools }: ExplainedAgent): FlowExplanation {
  const roles = rolesIn(tools, tool, options);
  const guess = guessTools(tools).get(tool);
  const undeclared = undeclaredOf(tool, options);
  const isOpen = isAssumed(tool) && tool.composition === undefined;
  const isGuessed = isOpen && undeclared === "guess";
  const why = `${guess?.why ?? "it was not seen"}.`;
  const facts = factsOf(tool, roles, guess);
  // [declare.modes] A proposal is made of the guess, also in a mode that does not follow it.
  const guessed =
    isOpen && isOwnVoice(tool) && guess !== undefined
      ? factsOf(tool, rolesOf(tool, { guess, loosens: true }), guess)
      : undefined;
  const declaration = declarationOf(tool, guessed ?? facts);
  return {
    name: tool.name,
    ...facts,
    by: isGuessed ? "guessed" : isAssumed(tool) ? "default" : isOwnVoice(tool) ? "declared" : "source",
    why: isGuessed ? why : reasonOf(tool, undeclared),
    gated: sinkOf(tool, roles, [], options) === "gated",
    inputJsonSchema: tool.__inputJsonSchema,
    output: {
      integrity: tool.output?.integrity ?? "untrusted",
      by: tool.__outputDeclared ? (isOwnVoice(tool) ? "declared" : "source") : "default",
    },
    definition: tool.__definitionHash,
    ...(guessed !== undefined && { guess: { ...guessed, why } }),
    ...(declaration !== "" && { declaration }),
  };
}

type ToolFacts = Pick<FlowExplanation, "effect" | "outward" | "grave" | "arguments">;

function factsOf(tool: ResolvedTool, roles: ToolRoles, guess: ToolGuess | undefined): ToolFacts {
  return {
    effect: roles.writer ? "writer" : "reader",
    outward: roles.outward || tool.__sideEffectClass === "external-stateful",
    grave: roles.grave,
    arguments: (guess?.arguments ?? []).map(({ path }) => {
      const { role, declared } = placeAt(tool, roles, path);
      return { path, role: shownRole[role], by: argumentBy(tool, path, role, declared) };
    }),
  };
}

const shownRole: Readonly<Record<Role, ArgumentExplanation["role"]>> = {
  authority: "decides",
  egress: "sends",
  payload: "payload",
  free: "free",
};

function argumentBy(tool: ResolvedTool, path: string, role: Role, declared: boolean): ArgumentExplanation["by"] {
  if (declared || tool.flow?.payload?.includes(path) === true) return "declared";
  return role === "payload" || role === "egress" ? "guessed" : "default";
}

function reasonOf(tool: ResolvedTool, undeclared: ReturnType<typeof undeclaredOf>): string {
  if (!isAssumed(tool)) return `It is "${tool.__sideEffectClass}".`;
  if (tool.composition !== undefined) return "It runs an agent or a program, whose calls are gated inside.";
  return undeclared === "shadow"
    ? "It declares no effect, and its calls are only recorded."
    : "It declares no effect, so it counts as a writer.";
}

function declarationOf(tool: ResolvedTool, { effect, outward }: ToolFacts): string {
  if (tool.composition !== undefined || !isOwnVoice(tool)) return "";
  const changes = effect === "reader" ? "nothing" : outward ? "outside" : "own";
  const parts = [...(isAssumed(tool) ? [`changes: "${changes}"`] : []), ...(tool.__outputDeclared ? [] : [outputLine])];
  return parts.join(", ");
}

const outputLine = `returns: "outside"`;

const warned = new WeakMap<object, Set<string>>();

/** An agent in a run, with the run's own grants. */
interface WarnedAgent extends ExplainedAgent {
  readonly grants?: readonly Grant[] | undefined;
}

/**
 * One line with the number of guesses, one about readers without a declared output [flow.guess.warns], and one for each grant of
 * the run that matches no call.
 */
export function warningsAbout(agent: WarnedAgent & { readonly once?: object | undefined }): readonly Warning[] {
  const warnings = makeWarnings(agent);
  if (agent.once === undefined) return warnings;
  const known = warned.get(agent.once) ?? new Set<string>();
  warned.set(agent.once, known);
  return warnings.filter(({ message, subject = "" }) => {
    const key = `${message} ${subject}`;
    return !known.has(key) && known.add(key);
  });
}

function makeWarnings(agent: WarnedAgent): readonly Warning[] {
  const mode = modeOf(agent.options);
  if (mode === "off" || mode === "shadow") return [];
  const own = agent.tools.filter((tool) => tool.composition === undefined && tool.__source.kind !== "built-in");
  const assumed = own.filter(isAssumed);
  const by = (how: ReturnType<typeof undeclaredOf>): readonly ResolvedTool[] =>
    assumed.filter((tool) => undeclaredOf(tool, agent.options) === how);
  return [
    ...guessWarning(by("guess")),
    ...plainWarning(by("gate"), "so each counts as a writer"),
    ...plainWarning(by("shadow"), "so their calls are recorded and never stopped"),
    ...outputWarning(own, agent),
    ...grantWarnings(agent),
  ];
}

function grantWarnings({ grants = [], tools }: WarnedAgent): readonly Warning[] {
  return grants.flatMap((grant) => {
    const problem = grantProblem(grant, tools);
    if (problem === undefined) return [];
    const message = `The run's grant for "${grant.tool}" ${problem} It allows nothing.`;
    return [{ code: "grant_without_use", message, subject: grant.tool }];
  });
}

function guessWarning(tools: readonly ResolvedTool[]): readonly Warning[] {
  if (tools.length === 0) return [];
  const effects =
    tools.length === 1 ? "The effect of 1 tool is guessed" : `The effects of ${tools.length} tools are guessed`;
  return [
    {
      code: "guessed_tools",
      message: `${effects}: run "npx bailiwick declare" to read each guess with its reason, and to declare it.`,
      subject: named(tools),
    },
  ];
}

function plainWarning(tools: readonly ResolvedTool[], effect: string): readonly Warning[] {
  if (tools.length === 0) return [];
  return [
    {
      code: "undeclared_tools",
      message: `${count(tools)} (${named(tools)}) declares no effect, ${effect}. Add changes: "nothing", "own" or "outside", and returns: "own" where the output is your own data.`,
    },
  ];
}

/** A reader beside a writer: after its result, calls of the writer ask a person [flow.output-warning]. */
function outputWarning(own: readonly ResolvedTool[], { tools, options }: ExplainedAgent): readonly Warning[] {
  const silent = own.filter(
    (tool) => !tool.__outputDeclared && !isAssumed(tool) && tool.__sideEffectClass !== "pure" && isOwnVoice(tool),
  );
  if (silent.length === 0) return [];
  const isWriter = (tool: ResolvedTool): boolean => rolesIn(tools, tool, options).writer;
  const readers = silent.filter((tool) => !isWriter(tool));
  if (readers.length === 0 || !tools.some(isWriter)) return [];
  return [
    {
      code: "undeclared_output",
      message: `${count(readers)} (${named(readers)}) declares no output, so its results count as untrusted, and calls that change something ask after one was read. Add returns: "own" where only you can write the result, and ${outputLine} where others can.`,
    },
  ];
}

function count(tools: readonly ResolvedTool[]): string {
  return tools.length === 1 ? "A tool" : `Each of ${tools.length} tools`;
}

function named(tools: readonly ResolvedTool[]): string {
  return tools.map(({ name }) => `"${name}"`).join(", ");
}
