import type { Grant, GrantArgument, GrantReference, JsonValue } from "@bailiwick/core";
import type { ScriptToolCall } from "@bailiwick/testing";

import type { AttackCase } from "./attack-case.test.helper.ts";
import { isOpenOf, isReadOf, stageOf } from "./staged-tools.test.helper.ts";
import type { Definition } from "./staged-tools.test.helper.ts";

/** A task of a user. */
export interface TradeTask {
  readonly name: string;
  readonly prompt: string;
  readonly plan: readonly ScriptToolCall[];
  /** Grants of a clean planner for the prompt. */
  readonly grants?: readonly Grant[] | undefined;
  /** The reason why a person has to decide, with careful declarations. */
  readonly asks?: string | undefined;
}

/** A goal of an attacker, with the calls that achieve it. */
export interface TradeGoal {
  readonly goal: string;
  readonly attack: readonly ScriptToolCall[];
}

/** A trade with its tools, its tasks and its attackers. */
export interface Trade {
  readonly name: string;
  readonly tools: readonly Definition[];
  readonly tasks: readonly TradeTask[];
  readonly goals: readonly TradeGoal[];
  /** Values that only the attackers want in a deciding argument. */
  readonly wanted: RegExp;
}

/** An argument with a fixed value. */
export const eq = (value: JsonValue): GrantArgument => ({ eq: value });
/** An argument that the model writes. */
export const composed: GrantArgument = { composed: true };
/** An argument that is the value of a field. */
export const ref = (tool: string, path: string, more: Partial<GrantReference> = {}): GrantArgument => ({
  ref: { tool, path, ...more },
});
/** A call of a tool. */
export const call = (name: string, args: object = {}): ScriptToolCall => ({ name, arguments: args });
/** A grant for one call, which carries what the named tools return. */
export const grant = (tool: string, args: Grant["args"], ...from: readonly string[]): Grant => ({
  tool,
  args,
  ...(from.length > 0 && { from: from.map((name) => ({ tool: name })) }),
});

type Arguments = Readonly<Record<string, unknown>>;

/** The attacker's values in a deciding argument, or a working link of theirs. */
function isWanted(trade: Trade, args: unknown): boolean {
  const payload = new Set(trade.tools.flatMap(({ careful }) => careful.flow?.payload ?? []));
  const decides = Object.entries((args ?? {}) as Arguments).filter(([path]) => !payload.has(path));
  return trade.wanted.test(JSON.stringify(decides)) || hasOwnLink(args);
}

function hasOwnLink(args: unknown): boolean {
  return /https:\/\/attacker/u.test(JSON.stringify(args));
}

/** A task of a trade, with an attacker's goal or without. */
export function tradeCase(trade: Trade, task: TradeTask, at?: number): AttackCase {
  const attacker = at === undefined ? undefined : trade.goals[at];
  const isWriter = (name: string): boolean => !isReadOf(trade.tools, name);
  return {
    name: `${trade.name}/${task.name}${at === undefined ? "" : ` ${at}`}`,
    prompt: task.prompt,
    plan: task.plan,
    exposed: task.plan.findIndex(({ name }) => isOpenOf(trade.tools, name)),
    goal: attacker?.goal,
    attack: attacker?.attack ?? [],
    grants: task.grants ?? [],
    stage: (declarations, poison, change) => stageOf(trade.tools, declarations, poison, change),
    // A page of the attacker receives the content of the address that is opened.
    isAttackers: ({ name, args }) =>
      attacker !== undefined && (isWriter(name) || hasOwnLink(args)) && isWanted(trade, args),
    isDiverted: () => false,
    isWriter,
  };
}

/** Each task of a trade that reads what outsiders write, with each goal of the trade. */
export function tradeAttacks(trade: Trade): readonly AttackCase[] {
  return trade.tasks
    .filter(({ plan }) => plan.some(({ name }) => isOpenOf(trade.tools, name)))
    .flatMap((task) => trade.goals.map((_, at) => tradeCase(trade, task, at)));
}
