import { memoryStore, type JournalEvent, type Tool } from "@bailiwick/core";
import { faultyStore } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { effects, evaluate, evaluation } from "../src/index.ts";
import { desk, findOrder, real, refund } from "./desk.test.helper.ts";

const { idempotencyKey: _key, ...keyless } = refund;

test.each([
  ["with a key", refund],
  ["without a key", keyless as Tool],
])(
  "a process that dies in a faked call %s leaves one run with one effect, and no question [evals.killed]",
  async (_what, writer) => {
    const store = memoryStore();
    const isIntent = (args: readonly unknown[]): boolean =>
      ((args[1] ?? []) as readonly JournalEvent[]).some(({ type }) => type === "tool.intent");
    const dying = faultyStore(store, ({ operation, args }) =>
      operation === "append" && isIntent(args) ? { crash: true, written: true } : undefined,
    );
    const made = evaluation({
      name: "dies",
      agent: ({ store: own }) => desk(own, { tools: [writer, findOrder], leaseMs: 1_000 }),
      fakes: { refund: () => "refunded" },
      cases: [{ input: "Refund order 7.", expected: { effects: ["refund"] } }],
      must: [effects()],
    });
    void evaluate(made, { store: dying }).catch(() => undefined);
    await dying.crashed;
    const lines: string[] = [];
    const result = await evaluate(made, { store, onProgress: (line) => lines.push(line) });
    expect(result.verdict, result.text).toBe("passed");
    expect(lines).toEqual([expect.stringContaining("another process had it")]);
    const runs = await store.listRuns({ limit: 10 });
    expect(runs).toMatchObject([{ state: "completed" }]);
    expect((await evaluate(made, { store })).runs).toEqual({ total: 1, fromStore: 1, notRun: 0 });
    expect(real).toEqual([]);
  },
);
