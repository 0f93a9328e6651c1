import type { Label } from "@bailiwick/core";
import { expect, test } from "vitest";

import { createContextLevel } from "./flow-state.ts";
import {
  createLabelGraph,
  everyone,
  nobody,
  systemLevel,
  untrustedLevel,
  userLevel,
  verifiedLevel,
} from "./lattice.ts";

const origin = { kind: "tool", toolName: "t", toolCallId: "1" } as const;
const stored = (label: Partial<Label>): Label => ({
  id: "l7",
  integrity: "untrusted",
  readers: ["user:ann"],
  parents: [],
  origin,
  ...label,
});

test("labels that every run knows need no record, and inherited property names are not labels [flow.label]", () => {
  const graph = createLabelGraph();
  expect(graph.levelOf("system")).toEqual(systemLevel);
  expect(graph.levelOf("user")).toEqual(userLevel);
  expect(graph.levelOf("verified")).toEqual(verifiedLevel);
  expect(graph.levelOf("untrusted")).toEqual(untrustedLevel);
  expect(graph.levelOf("toString")).toEqual(untrustedLevel);
  expect(graph.labelOf("system")).toBeUndefined();
});

test("a node decides the same after it is written and read back [flow.label]", () => {
  const graph = createLabelGraph();
  const readers = graph.sets.intern(["user:ann"]);
  const plain = graph.add({ integrity: "untrusted", control: "untrusted", readers }, origin, ["user", "user"]);
  const spared = graph.add({ integrity: "untrusted", control: "verified", readers: nobody }, origin, [plain], 3);
  const written = graph.take();
  expect(written).toEqual([
    { id: "l1", integrity: "untrusted", readers: ["user:ann"], parents: ["user"], origin },
    { id: "l2", integrity: "untrusted", control: "verified", bits: 3, readers: [], parents: ["l1"], origin },
  ]);
  const copy = createLabelGraph();
  for (const label of written) copy.load(label);
  for (const id of [plain, spared]) {
    expect({ ...copy.levelOf(id), readers: copy.sets.readersOf(copy.levelOf(id).readers) }).toEqual({
      ...graph.levelOf(id),
      readers: graph.sets.readersOf(graph.levelOf(id).readers),
    });
    expect(copy.labelOf(id)).toEqual(graph.labelOf(id));
  }
  // Records that were read back are not written again, and their ids are not reused.
  expect(copy.take()).toEqual([]);
  expect(copy.add(systemLevel, origin, [])).toBe("l3");
});

test("a stored label spares the control label only if marked, and never beyond its own trust [flow.label]", () => {
  const graph = createLabelGraph();
  graph.load(stored({ id: "a" }));
  graph.load(stored({ id: "b", control: "verified" }));
  graph.load(stored({ id: "c", integrity: "verified", control: "untrusted" }));
  expect(["a", "b", "c"].map((id) => graph.levelOf(id).control)).toEqual(["untrusted", "verified", "verified"]);
  // Names in another format do not count as names of this graph.
  graph.load(stored({ id: "xl90" }));
  graph.load(stored({ id: "l9" }));
  graph.load(stored({ id: "l4" }));
  expect(graph.add(systemLevel, origin, [])).toBe("l10");
});

test("a join equal to its only parent is that parent; any other is a node [flow.label]", () => {
  const graph = createLabelGraph();
  const join = { kind: "join" } as const;
  expect(graph.add(userLevel, join, ["user", "user"])).toBe("user");
  expect(graph.add(untrustedLevel, join, ["user"])).not.toBe("user");
  expect(graph.add(userLevel, origin, ["user"])).not.toBe("user");
  expect(graph.add(userLevel, join, ["user", "system"])).not.toBe("user");
  expect(graph.add(userLevel, join, [])).not.toBe("user");
  expect(graph.add(untrustedLevel, join, [])).toBe("l5");
  expect(graph.take()).toHaveLength(5);
});

test("a context is the join of everything it read, with one node per model call [flow.r2.all-messages]", () => {
  const graph = createLabelGraph();
  const context = createContextLevel(graph);
  expect([context.label(), context.level]).toEqual(["system", systemLevel]);
  context.read("user");
  expect([context.label(), context.level]).toEqual(["user", userLevel]);
  context.read("system");
  expect(context.label()).toBe("user");
  const mail = graph.add({ ...untrustedLevel, readers: graph.sets.intern(["user:ann"]) }, origin, []);
  const note = graph.add({ ...verifiedLevel, readers: graph.sets.intern(["user:ann", "user:bob"]) }, origin, []);
  context.read(note);
  context.read(mail);
  const both = context.label();
  expect(graph.labelOf(both)).toMatchObject({
    integrity: "untrusted",
    readers: ["user:ann"],
    parents: ["user", note, mail],
  });
  expect(context.label()).toBe(both);
  for (const nothingNew of [note, mail, "untrusted", "user"]) context.read(nothingNew);
  expect(context.label()).toBe(both);
  expect(context.level).toEqual({ ...untrustedLevel, readers: graph.sets.intern(["user:ann"]) });
  const secret = graph.add({ ...verifiedLevel, readers: nobody }, origin, []);
  context.read(secret);
  expect(graph.labelOf(context.label())).toMatchObject({ readers: [], parents: [both, secret] });
  expect(graph.levelOf(context.label()).readers).not.toBe(everyone);
});

test("a label that is untrusted for lack of declarations says so, also after loading [flow.label]", () => {
  const graph = createLabelGraph();
  const assumed = { integrity: "assumed", control: "assumed", readers: everyone } as const;
  const id = graph.add(assumed, { kind: "tool", toolName: "look", toolCallId: "c" }, []);
  const declared = graph.add(untrustedLevel, { kind: "tool", toolName: "look", toolCallId: "d" }, []);
  const trusted = graph.add(verifiedLevel, { kind: "tool", toolName: "look", toolCallId: "e" }, []);
  const [one, two, three] = graph.take();
  expect([one, two, three]).toMatchObject([
    { integrity: "untrusted", assumed: true },
    { integrity: "untrusted" },
    { integrity: "verified" },
  ]);
  expect([two, three].map((label) => Object.hasOwn(label ?? {}, "assumed"))).toEqual([false, false]);
  const loaded = createLabelGraph();
  for (const label of [one, two, three]) if (label !== undefined) loaded.load(label);
  expect([id, declared, trusted].map((each) => loaded.levelOf(each).integrity)).toEqual([
    "assumed",
    "untrusted",
    "verified",
  ]);
  // The mark is only about untrusted values.
  loaded.load({
    id: "l9",
    integrity: "verified",
    assumed: true,
    readers: "public",
    parents: [],
    origin: { kind: "join" },
  });
  expect(loaded.levelOf("l9").integrity).toBe("verified");
});
