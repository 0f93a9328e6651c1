import type { SessionStore } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { rejectsWith, storeCase } from "./store-case.ts";
import type { StoreSetup } from "./store-case.ts";

/** Values that are not ids. The last is half of a surrogate pair, which some stores cannot tell from another half. */
const noIds: readonly unknown[] = [undefined, null, 5, "", {}, [], "\ud800"];
/** Values that are neither an owner nor options. */
const noOwners: readonly unknown[] = [
  null,
  5,
  "ada",
  [],
  ...[null, 5, "", {}, [], "\ud800"].map((userId) => ({ userId })),
  { tenantId: 5 },
];

type Call = (sessions: SessionStore, given: never) => Promise<unknown>;

const run = { runId: "r1", seq: 1 };

/** Each method with an argument that is an id. */
const withId: Readonly<Record<string, Call>> = {
  load: (sessions, id) => sessions.load(id),
  append: (sessions, id) => sessions.append(id, [], run),
  "append, by a run": (sessions, runId) => sessions.append("s", [], { ...run, runId }),
  loadState: (sessions, id) => sessions.loadState(id),
  writeState: (sessions, id) => sessions.writeState(id, [], run),
  branch: (sessions, id) => sessions.branch(id),
  edit: (sessions, id) => sessions.edit(id, "u1", { id: "u1", role: "user", content: "x" }),
  delete: (sessions, id) => sessions.delete(id),
  export: (sessions, id) => sessions.export(id),
  share: (sessions, id) => sessions.share(id),
  claim: (sessions, id) => sessions.claim(id, { userId: "ada" }),
  "claim, for a user": (sessions, userId) => sessions.claim("s", { userId }),
};

/** Each method with an owner, or with options that have one. */
const withOwner: Readonly<Record<string, Call>> = {
  load: (sessions, owner) => sessions.load("s", owner),
  append: (sessions, owner) =>
    sessions.append("s", [], Object(owner) === owner ? { ...run, ...(owner as object) } : owner),
  loadState: (sessions, owner) => sessions.loadState("s", owner),
  writeState: (sessions, owner) =>
    sessions.writeState("s", [], Object(owner) === owner ? { ...run, ...(owner as object) } : owner),
  list: (sessions, owner) => sessions.list(owner),
  search: (sessions, owner) => sessions.search("x", owner),
  branch: (sessions, owner) => sessions.branch("s", owner),
  edit: (sessions, owner) => sessions.edit("s", "u1", { id: "u1", role: "user", content: "x" }, owner),
  delete: (sessions, owner) => sessions.delete("s", owner),
  export: (sessions, owner) => sessions.export("s", owner),
  import: (sessions, owner) => sessions.import("", owner),
  share: (sessions, owner) => sessions.share("s", owner),
  claim: (sessions, owner) => sessions.claim("s", owner),
};

/** Arguments of other kinds. */
const others: readonly (readonly [string, Call, readonly unknown[]])[] = [
  ["append without a run", (sessions, given) => sessions.append("s", [], given), [undefined, null, 5, {}]],
  ["writeState without a run", (sessions, given) => sessions.writeState("s", [], given), [undefined, null, 5, {}]],
  [
    "writeState with wrong writes",
    (sessions, given) => sessions.writeState("s", given, run),
    [undefined, 5, [null], [{}]],
  ],
  ["list with a wrong limit", (sessions, limit) => sessions.list({ limit }), [null, "5", -1, Number.NaN]],
  ["load with a wrong limit", (sessions, limitTokens) => sessions.load("s", { limitTokens }), [null, "5", -1]],
  ["search with a wrong query", (sessions, query) => sessions.search(query), [undefined, null, 5, {}]],
  ["import of a wrong export", (sessions, jsonl) => sessions.import(jsonl), [undefined, null, 5, {}]],
  ["claim without an owner", (sessions, owner) => sessions.claim("s", owner), [undefined, {}]],
];

/** Wrong arguments of the methods of sessions. */
export function argumentCases(setup: StoreSetup): readonly ConformanceCase[] {
  return [
    storeCase(
      setup,
      "each method of sessions refuses a wrong argument with INVALID_INPUT, and stores nothing [memory.session-store.arguments]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        const calls = [
          ...Object.entries(withId).map(([name, call]) => [name, call, noIds] as const),
          ...Object.entries(withOwner).map(
            ([name, call]) =>
              [name, call, noOwners.filter((one) => !Array.isArray(one) || !/append|writeState/.test(name))] as const,
          ),
          ...others,
        ];
        for (const [name, call, values] of calls)
          for (const value of values)
            await rejectsWith(
              (async () => call(sessions, value as never))(),
              "INVALID_INPUT",
              `${name} with ${JSON.stringify(value) ?? "undefined"}`,
            );
        const left = await sessions.list();
        if (left.length > 0) throw new Error(`A refused call stored ${JSON.stringify(left)}.`);
      },
    ),
  ];
}
