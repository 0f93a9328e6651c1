import type { LoopHooks } from "../../contracts/hooks.ts";
import type { Guardrails } from "../../contracts/guardrail.ts";

type Hooks<Name extends keyof LoopHooks> = readonly NonNullable<LoopHooks[Name]>[];

/** An invalid answer of a hook: it is passed on unchanged, so that it is refused like that of a single hook. */
function isNoAnswer(answer: unknown): boolean {
  return answer !== undefined && (typeof answer !== "object" || answer === null);
}

/** How several hooks of one name are called as one: each gets the changes of the earlier ones. */
const inTurn: { readonly [Name in keyof Required<LoopHooks>]: (hooks: Hooks<Name>) => NonNullable<LoopHooks[Name]> } = {
  beforeLLMCall: (hooks) => async (given, roundtrip) => {
    let messages = given;
    for (const hook of hooks) {
      const changed = (await hook(messages, roundtrip)) ?? messages;
      if (!Array.isArray(changed)) return changed;
      messages = changed;
    }
    return messages === given ? undefined : messages;
  },
  afterLLMCall: (hooks) => async (response, roundtrip) => {
    for (const hook of hooks) await hook(response, roundtrip);
  },
  beforeToolExec: (hooks) => async (toolName, given, writes) => {
    let args = given;
    for (const hook of hooks) {
      const answer = await hook(toolName, args, writes);
      if (isNoAnswer(answer) || answer?.skip === true) return answer;
      if (answer?.args !== undefined) args = answer.args;
    }
    return args === given ? undefined : { args };
  },
  afterToolExec: (hooks) => async (toolName, given) => {
    let shown = given;
    for (const hook of hooks) {
      const text = (await hook(toolName, shown)) ?? shown;
      if (typeof text !== "string") return text;
      shown = text;
    }
    return shown === given ? undefined : shown;
  },
  onRoundtripComplete: (hooks) => async (roundtrip, tokens) => {
    let stop = false;
    for (const hook of hooks) {
      const answer = await hook(roundtrip, tokens);
      if (isNoAnswer(answer)) return answer;
      stop ||= answer?.stop === true;
    }
    return { stop };
  },
};

/** The hooks that were joined into one: a hook that several runs of a chain have is called once. */
const members: unique symbol = Symbol("bailiwick.members");

function membersOf<Hook>(hook: Hook | undefined): readonly Hook[] {
  if (hook === undefined) return [];
  return (hook as { readonly [members]?: readonly Hook[] })[members] ?? [hook];
}

/** Both hooks of each name: first the first one's, then the second one's. */
export function joinLoopHooks(first: LoopHooks | undefined, second: LoopHooks | undefined): LoopHooks | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const join = <Name extends keyof LoopHooks>(name: Name): LoopHooks[Name] => {
    const hooks = [...new Set([...membersOf(first[name]), ...membersOf(second[name])])] as unknown as Hooks<Name>;
    return hooks.length < 2 ? hooks[0] : Object.assign(inTurn[name](hooks), { [members]: hooks });
  };
  const names = Object.keys(inTurn) as (keyof LoopHooks)[];
  return Object.fromEntries(names.map((name) => [name, join(name)]));
}

/** The hooks of a run that are called around the tool calls of the runs inside it. */
export function loopHooksInside(hooks: LoopHooks | undefined): LoopHooks | undefined {
  return hooks && { beforeToolExec: hooks.beforeToolExec, afterToolExec: hooks.afterToolExec };
}

/** The guardrails of both; a guardrail in both runs once. */
export function joinGuardrails(first: Guardrails | undefined, second: Guardrails | undefined): Guardrails | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const names = ["input", "output", "toolInput", "toolOutput"] as const;
  return Object.fromEntries(
    names.map((name) => [name, [...new Set([...(first[name] ?? []), ...(second[name] ?? [])])]]),
  );
}

/** The guardrails of a run that check the tool calls of the runs inside it. */
export function guardrailsInside(guardrails: Guardrails | undefined): Guardrails | undefined {
  return guardrails && { toolInput: guardrails.toolInput, toolOutput: guardrails.toolOutput };
}
