import type { AgentRuntime, RunInput, RunOptions, RunStore } from "@bailiwick/core";
import { canonicalJson } from "@bailiwick/core/extension";
import { hijackedModel } from "@bailiwick/testing";
import type { NamedCase } from "../case.ts";
import type { Candidate, Evaluation } from "../evaluation.ts";
import { agentsOf } from "./candidate-agent.ts";
import { described } from "./describe.ts";

/** A candidate with its agent. */
export interface ReadyCandidate {
  readonly name: string;
  readonly runtime: AgentRuntime;
  /** Options of its runs. */
  readonly options: RunOptions;
  /** Hash of everything that decides what its runs do, except the case. */
  readonly content: string;
}

/** One repeat of a case with a candidate. */
export interface Unit {
  readonly candidate: ReadyCandidate;
  readonly one: NamedCase;
  /** From 1. */
  readonly repeat: number;
}

/** Parts that all units of an evaluation share. */
export interface EvaluationRun {
  readonly evaluation: Evaluation;
  readonly store: RunStore;
  /** Set to ignore stored runs. */
  readonly nonce: string | undefined;
  /** Stored runs are scored, and no run begins. */
  readonly rescore: boolean;
  readonly progress: (line: string) => void;
}

/** Options of an agent that stand for its surroundings, or that its definition hash has. */
const surroundings = new Set([
  "store",
  "session",
  "memory",
  "ledger",
  "logger",
  "clock",
  "ids",
  "eventBus",
  "telemetry",
  "name",
  "handoffs",
  "secrets",
  "keys",
  "hasher",
  "models",
]);

/** The content of a candidate, for the keys of its runs: agent, options and fakes. */
export function contentOf(
  { name, fakes = {}, realEffects = [] }: Evaluation,
  runtime: AgentRuntime,
  { agent: _agent, ...options }: Candidate,
): string {
  const { definition } = runtime;
  const agents = agentsOf(definition).map((agent) => [
    agent.definitionHash,
    Object.fromEntries(Object.entries(agent.options).filter(([option]) => !surroundings.has(option))),
  ]);
  return definition.hasher.sha256(canonicalJson(described([name, agents, options, fakes, realEffects])));
}

/** The key of a unit: it names everything that decides what its runs do. */
export function unitKey({ nonce }: EvaluationRun, { candidate, one, repeat }: Unit): string {
  const { input, attack, metadata, expected } = one;
  const { hasher } = candidate.runtime.definition;
  const plan = attack === undefined ? undefined : expected?.calls;
  return hasher.sha256(
    canonicalJson([
      "bailiwick-eval",
      candidate.name,
      candidate.content,
      described([input, attack, metadata, plan]),
      repeat,
      nonce ?? null,
    ]),
  );
}

/** The inputs of a case: one for each run. */
export function inputsOf({
  input,
}: NamedCase): readonly { readonly input: RunInput; readonly messages?: RunOptions["messages"] }[] {
  if (typeof input === "string") return [{ input }];
  const texts = input.filter((one) => typeof one === "string");
  if (texts.length === input.length) return texts.map((one) => ({ input: one }));
  const last = input.at(-1) as Exclude<RunInput, string | readonly unknown[]>;
  return [{ input: last, messages: input.slice(0, -1) as unknown as NonNullable<RunOptions["messages"]> }];
}

/** The model of a case with an attack: it makes the expected calls until it reads the attacker's text. */
export function attackModel({ attack, expected }: NamedCase): RunOptions["model"] {
  if (attack === undefined) return undefined;
  const plan = (expected?.calls ?? []).map((call) =>
    typeof call === "string"
      ? { name: call }
      : { name: call.tool, arguments: (call.args ?? {}) as Record<string, unknown> },
  );
  return hijackedModel({
    plan,
    injections: attack.injections,
    attack: attack.calls.map(({ tool, args }) => ({ name: tool, arguments: args })),
  });
}
