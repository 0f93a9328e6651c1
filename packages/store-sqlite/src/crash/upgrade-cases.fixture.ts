import { expect } from "vitest";
import { crashCell } from "./crash-cell.fixture.ts";
import type { Ground } from "./ground.fixture.ts";
import type { Upgrade } from "./upgrade.fixture.ts";
import type { Depth, EffectClass } from "./world.fixture.ts";

/** The effect took place once, and a person was asked about it. */
const asked = { executions: 1, asked: true } as const;
/** The tool ran again, with the same key. */
const repeated = { executions: 2, asked: false } as const;
/** The tool's `lookup` reported the outcome. */
const lookedUp = { executions: 1, asked: false } as const;

type Cell = readonly [
  EffectClass,
  Upgrade,
  { readonly executions: number; readonly asked: boolean },
  agentsAround?: Depth,
];

const cells: readonly Cell[] = [
  ["reader", "nothing", { executions: 2, asked: false }],
  ["reader", "became a writer", asked],
  ["reader", "became a writer with a key", asked],
  ["idempotent", "key removed", asked],
  ["idempotent", "key changed", asked],
  ["idempotent", "class changed", asked],
  ["idempotent", "schema changed", asked],
  ["idempotent", "gate added", asked],
  ["idempotent", "field added", repeated],
  ["idempotent", "description changed", repeated],
  ["idempotent", "tool renamed", repeated],
  ["other", "tool renamed", asked],
  ["lookup", "tool renamed", lookedUp],
  ["approved", "tool renamed", asked],
  ["idempotent", "tool renamed, with workers", repeated],
  ["other", "tool renamed, with workers", asked],
  ["idempotent", "agent renamed", repeated],
  ["other", "key added", asked],
  ["other", "class changed", asked],
  ["lookup", "key removed", asked],
  ["lookup", "key changed", lookedUp],
  ["lookup", "schema changed", lookedUp],
  ["approved", "key added", asked],
  ["approved", "class changed", asked],
  ["other", "a model that answers otherwise", asked],
  ["reader", "became a writer", asked, 2],
  ["idempotent", "key removed", asked, 1],
  ["idempotent", "class changed", asked, 2],
  ["idempotent", "schema changed", asked, 2],
  ["idempotent", "gate added", asked, 2],
  ["idempotent", "field added", repeated, 2],
  ["idempotent", "tool renamed", repeated, 1],
  ["other", "tool renamed", asked, 2],
  ["lookup", "tool renamed", lookedUp, 2],
  ["idempotent", "tool renamed, with workers", repeated, 1],
  ["other", "tool renamed, with workers", asked, 2],
  ["idempotent", "agent renamed", repeated, 2],
  ["other", "key added", asked, 2],
  ["lookup", "key changed", lookedUp, 2],
  ["approved", "key added", asked, 2],
  ["idempotent", "a model that answers otherwise", repeated, 1],
  ["other", "a model that answers otherwise", asked, 1],
  ["other", "a model that answers otherwise", asked, 2],
];

/**
 * Runs that are killed after an effect and resumed by another version of the code, as cases for a test runner.
 */
export function upgradeCases(ground: Ground): readonly { readonly name: string; readonly run: () => Promise<void> }[] {
  return cells.map(([effect, upgrade, expected, depth = 0]) => ({
    name: `a ${effect === "reader" ? "reader" : `writer (${effect})`} ${depth} agents deep that is killed after its effect and resumed by a version with ${upgrade} ${
      expected.asked
        ? "is not repeated before a person answers"
        : expected.executions > 1
          ? "runs again"
          : "is looked up"
    } [effects.resume.upgrade]`,
    run: async () => {
      const result = await crashCell(ground, effect, "after effect", "plain", upgrade, depth);
      expect(result).toMatchObject({ reached: true, faults: [], ...expected });
    },
  }));
}
