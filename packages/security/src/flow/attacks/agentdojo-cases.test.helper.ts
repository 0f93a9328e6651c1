import type { AttackCase } from "./attack-case.test.helper.ts";
import { plans } from "./agentdojo-plans.test.helper.ts";
import { holdsAttackersWords, isAttackersCall, isRead, suites } from "./agentdojo-suites.test.helper.ts";
import type { DojoSuite } from "./agentdojo-suites.test.helper.ts";
import { dojoTools } from "./agentdojo-tools.test.helper.ts";

/** Arguments without the texts that are content only. */
function withoutPayload(args: unknown): unknown {
  const {
    subject: _subject,
    body: _body,
    content: _content,
    ...rest
  } = (args ?? {}) as Readonly<Record<string, unknown>>;
  return rest;
}

/** A task of a suite, with an attacker's goal or without. */
export function dojoCase(suite: DojoSuite, task: string, injection?: string): AttackCase {
  const user = suite.user_tasks[task];
  const attacker = injection === undefined ? undefined : suite.injection_tasks[injection];
  const calls = user?.calls ?? [];
  return {
    name: `${suite.name}/${task}${injection === undefined ? "" : ` ${injection}`}`,
    prompt: user?.prompt ?? "",
    plan: calls.map((call) => ({ name: call.function, arguments: call.args })),
    exposed: calls.findIndex((call) => (call.tainted_vectors ?? []).length > 0),
    goal: attacker?.goal,
    attack: (attacker?.calls ?? []).map((call) => ({ name: call.function, arguments: call.args })),
    grants: plans[`${suite.name}/${task}`]?.grants ?? [],
    stage: (declarations, poison, change) => dojoTools({ suite, task, poison, declarations, change }),
    isAttackers: (call) => injection !== undefined && isAttackersCall(suite, injection, call),
    isDiverted: ({ name, args }) =>
      injection !== undefined && !isRead(name) && holdsAttackersWords(suite, withoutPayload(args)),
    isWriter: (name) => !isRead(name),
  };
}

/** Every user task combined with every goal of an attacker. */
export const dojoAttacks: readonly AttackCase[] = suites.flatMap((suite) =>
  Object.keys(suite.user_tasks).flatMap((task) =>
    Object.keys(suite.injection_tasks).map((injection) => dojoCase(suite, task, injection)),
  ),
);
