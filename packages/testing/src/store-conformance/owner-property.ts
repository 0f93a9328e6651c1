import assert from "node:assert/strict";
import type { Message, Owner, RunStore, SessionStore } from "@bailiwick/core";
import { memoryStore } from "@bailiwick/core";
import * as fc from "fast-check";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { longTtlMs, records, runRecord, storeCase } from "./store-case.ts";
import type { StoreSetup } from "./store-case.ts";

/** Owners that differ in a tenant, in a user, or in having none. */
const owners: readonly Owner[] = [
  { tenantId: "t1", userId: "ada" },
  { tenantId: "t1", userId: "bob" },
  { tenantId: "t2", userId: "ada" },
  { tenantId: "t1" },
  { userId: "ada" },
  {},
];

/** The functions of a store that take an owner, except sharing and claiming, which affect others on purpose. */
const calls = [
  "load",
  "append",
  "loadState",
  "writeState",
  "list",
  "search",
  "branch",
  "edit",
  "delete",
  "export",
  "import",
  "create",
  "listRuns",
  "end",
] as const;

interface Step {
  readonly by: number;
  readonly call: (typeof calls)[number];
  /** Index of a session, a message and a run. */
  readonly n: number;
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({ by: fc.nat(owners.length - 1), call: fc.constantFrom(...calls), n: fc.nat(2) }),
  { minLength: 4, maxLength: 24 },
);

const message = (id: string): Message => ({ id, role: "user", content: `secret ${id}` });

/** A store's answer to one step; its index makes the written values unique. */
async function answer(store: RunStore, sessions: SessionStore, { by, call, n }: Step, place: number): Promise<unknown> {
  const owner = owners[by] ?? {};
  const id = `s${n}`;
  const run = { ...owner, runId: `r${place}` };
  // Ids of runs are unique in the whole store, so each owner has its own.
  const runId = `run-${by}-${n}`;
  switch (call) {
    case "load":
      return sessions.load(id, owner);
    case "append":
      return sessions.append(id, [message(`u${n}`), message(`v${place}`)], {
        ...run,
        seq: 1,
        state: { [`k${n}`]: place },
      });
    case "loadState":
      return sessions.loadState(id, owner);
    case "writeState":
      return sessions.writeState(id, [{ key: "k", value: place, expected: n === 0 ? undefined : place - 1 }], run);
    case "list":
      return (await sessions.list(owner)).map((session) => session.id);
    case "search":
      return sessions.search("secret", owner);
    case "branch":
      return sessions.branch(id, { ...owner, newId: `s${(n + 1) % 3}`, uptoMessageId: `u${n}` });
    case "edit":
      return sessions.edit(id, `u${n}`, { ...message(`u${n}`), content: `edited ${place}` } as Message, owner);
    case "delete":
      return sessions.delete(id, owner);
    case "export":
      return sessions.export(id, owner);
    case "import":
      return sessions.import(await sessions.export(id, owner), { ...owner, id: `s${(n + 2) % 3}` });
    case "create": {
      const created = await store.create(runRecord(runId, { ...owner, sessionId: id, idempotencyKey: `key-${n}` }));
      return [created.run.id, created.created];
    }
    case "listRuns":
      return (await store.listRuns({ ...owner, sessionId: n === 0 ? undefined : id })).map((each) => [
        each.id,
        each.state,
      ]);
    case "end": {
      const lease = await store.acquire(runId, "me", longTtlMs);
      if (lease === null) return null;
      await store.append(lease, records(runId, lease.head.seq, 1));
      const joined = {
        ...owner,
        sessionId: id,
        messages: [message(`e${place}`)],
        state: {},
        runId,
        seq: lease.head.seq + 1,
      };
      return store.release({ ...lease, head: { seq: lease.head.seq + 1, hash: "" } }, { state: "completed" }, joined);
    }
  }
}

async function outcome(work: Promise<unknown>): Promise<unknown> {
  try {
    return { value: (await work) ?? null };
  } catch (error) {
    return { code: (error as { readonly code?: unknown }).code };
  }
}

async function answers(store: RunStore, asked: readonly (Step | undefined)[]): Promise<readonly unknown[]> {
  const { sessions } = store;
  const given: unknown[] = [];
  if (sessions === undefined) return given;
  for (const [place, step] of asked.entries())
    given.push(step === undefined ? undefined : await outcome(answer(store, sessions, step, place)));
  return given;
}

/** Case: no owner sees the effects of another owner's calls, through any function of the store. */
export function ownerProperty(setup: StoreSetup): ConformanceCase {
  return storeCase(
    setup,
    "each owner gets the answers of a store without other owners, for any actions of others [owner.other]",
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (asked) => {
          const under = await setup.createStore();
          try {
            const together = await answers(under.store, asked);
            for (const by of owners.keys()) {
              const own = asked.map((step) => (step.by === by ? step : undefined));
              const alone = await answers(memoryStore(), own);
              const seen = together.map((given, place) => (own[place] === undefined ? undefined : given));
              assert.deepEqual(seen, alone, JSON.stringify(owners[by]));
            }
          } finally {
            await under.dispose?.();
          }
        }),
        { numRuns: setup.runs },
      );
    },
  );
}
