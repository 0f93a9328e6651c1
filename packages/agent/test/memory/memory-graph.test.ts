import { mermaid } from "@bailiwick/compose/graph";
import { inMemoryMemories, memory } from "@bailiwick/memory";
import { sealer } from "@bailiwick/security";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { expect, test } from "vitest";
import { calling, memoryFile, remembering } from "./memory-world.test.helper.ts";

const ana = { tenantId: undefined, userId: "ana" };
const user = { integrity: "user", readers: "public" } as const;
const untrusted = { integrity: "untrusted", readers: "public" } as const;
const worksAt = (to: string) => [{ from: "Ana", kind: "works at", to }];

/** Edges by title. */
async function drawn(application: ReturnType<typeof memory>["application"], options = {}, scope = ana) {
  const { nodes, edges } = await application.graph(scope, options);
  const title = (id: string) => nodes.find((node) => node.id === id)?.title;
  return edges.map(({ from, kind, to }) => `${title(from)} ${kind} ${title(to)}`).toSorted();
}

test("the graph of a memory has the entities and relations that are true now, or at another time [memory.graph] [feature:S134]", async () => {
  await using file = memoryFile();
  const { application } = memory({ store: file.store });
  const job = { name: "job", label: user } as const;
  await application.remember(ana, "Ana works at Acme.", { ...job, validFrom: 1_000, relations: worksAt("Acme") });
  await application.remember(ana, "Bo manages  ANA.", {
    label: user,
    validFrom: 1_000,
    relations: [{ from: "Bo", kind: "manages", to: " ANA " }],
  });
  expect(await drawn(application)).toEqual(["ANA works at Acme", "Bo manages ANA"].toSorted());
  const id = await application.remember(ana, "Ana works at Beta.", { ...job, relations: worksAt("Beta") });
  expect(await drawn(application)).toEqual(["Ana works at Beta", "Bo manages Ana"]);
  expect(await drawn(application, { asOf: 2_000 })).toEqual(["ANA works at Acme", "Bo manages ANA"].toSorted());
  expect((await application.graph(ana)).edges).toContainEqual({
    from: "ana",
    to: "beta",
    kind: "works at",
    memoryId: id,
    ...user,
  });
  await application.forget(ana, id);
  expect(await drawn(application)).toEqual(["Bo manages ANA"]);
});

test("`about` shows one entity, those that it is related to, and the relations between them [memory.graph]", async () => {
  const { application } = memory({ store: inMemoryMemories() });
  const relations = [
    ...worksAt("Acme"),
    { from: "Bo", kind: "manages", to: "Ana" },
    { from: "Bo", kind: "works at", to: "Acme" },
    { from: "Acme", kind: "is in", to: "Oslo" },
  ];
  await application.remember(ana, "It is known.", { label: user, relations });
  expect(await drawn(application, { about: "ana" })).toEqual([
    "Ana works at Acme",
    "Bo manages Ana",
    "Bo works at Acme",
  ]);
  expect(await drawn(application, { about: "Eve" })).toEqual([]);
});

test("the graph has what the scope may read alone, and an entity that only untrusted memories name is untrusted [memory.graph]", async () => {
  const { application } = memory({ store: inMemoryMemories() });
  const of = (userId: string) => ({ tenantId: "t1", userId });
  await application.remember(of("ben"), "Ana works at Secret.", { label: user, relations: worksAt("Secret") });
  const shared = { kind: "shared", label: { integrity: "user", readers: ["user:ben"] } } as const;
  await application.remember(of("ben"), "Ana works at Hidden.", { ...shared, relations: worksAt("Hidden") });
  await application.remember(of("ana"), "Ana works at Acme.", {
    label: user,
    validFrom: 1_000,
    relations: worksAt("Acme"),
  });
  await application.remember(of("ana"), "ANA works at Evil.", {
    label: untrusted,
    validFrom: 2_000,
    relations: [{ from: "ANA", kind: "works at", to: "Evil" }],
  });
  // In one pair the untrusted memory is newer, in the other one older.
  await application.remember(of("ana"), "Zed likes ACME.", {
    label: untrusted,
    validFrom: 500,
    relations: [{ from: "Zed", kind: "likes", to: "ACME" }],
  });
  const { nodes, edges } = await application.graph(of("ana"));
  expect(nodes.map(({ title, integrity, note }) => `${title} ${integrity} ${note}`).toSorted()).toEqual([
    "Acme user undefined",
    "Ana user undefined",
    "Evil untrusted untrusted",
    "Zed untrusted untrusted",
  ]);
  expect(edges.map(({ to, integrity }) => `${to} ${integrity}`).toSorted()).toEqual([
    "acme untrusted",
    "acme user",
    "evil untrusted",
  ]);
  expect((await application.graph(of("ben"))).edges.map(({ to }) => to).toSorted()).toEqual(["hidden", "secret"]);
});

test("with `relations: true` the model passes relations to remember, with the label of the call; without it the tool has none [memory.graph.tool]", async () => {
  await using file = memoryFile();
  const call = calling(["remember", { text: "I work at Acme.", relations: worksAt("Acme") }]);
  const related = await remembering({ store: file.store, relations: true }, [call, "Noted."]);
  expect(related.output.status).toBe("completed");
  const { application } = memory({ store: file.store });
  expect((await application.graph(ana)).edges).toMatchObject([{ from: "ana", to: "acme", integrity: "user" }]);
  const plain = await remembering({ store: file.store }, [call, "Noted."]);
  expect(JSON.stringify(plain.output.messages)).toContain("relations");
  expect((await application.graph(ana)).edges).toHaveLength(1);
  const schemaOf = ({ model }: typeof plain) =>
    JSON.stringify(model.requests[0]?.tools?.find(({ name }) => name === "remember"));
  expect([schemaOf(related).includes("works at"), schemaOf(plain).includes("relations")]).toEqual([true, false]);
});

test("relations are sealed with the text: the store's file has no name of them [memory.graph.tool]", async () => {
  await using file = memoryFile();
  const key = sealer("a".repeat(64));
  const { application } = memory({ store: file.store, sealer: key });
  await application.remember(ana, "A secret.", { label: user, relations: worksAt("Zyxcorp") });
  expect(await drawn(application)).toEqual(["Ana works at Zyxcorp"]);
  await using again = sqliteStore({ path: file.path });
  expect(JSON.stringify(await again.memories.query({ scope: ana, limit: 10 }))).not.toContain("Zyxcorp");
});

test.each([
  [[{ from: "Ana", to: "Acme" }], "relations[0].kind"],
  [[{ from: "", kind: "is", to: "x" }], "relations[0].from"],
  [[{ from: "a", kind: "is", to: "x".repeat(201) }], "relations[0].to"],
  [Array.from({ length: 21 }, () => ({ from: "a", kind: "is", to: "b" })), "at most 20"],
  ["Ana", "at most 20"],
])("invalid relations are refused, and nothing is stored: %j [memory.graph]", async (relations, words) => {
  const { application } = memory({ store: inMemoryMemories() });
  const failing = application.remember(ana, "x", { label: user, relations: relations as never });
  await expect(failing).rejects.toMatchObject({ code: "INVALID_MEMORY" });
  await expect(failing).rejects.toThrow(words);
  expect(await application.recall(ana, "x")).toEqual([]);
});

test("names and relations of a memory add no node, link or style to the Mermaid text [memory.graph.mermaid]", async () => {
  const { application } = memory({ store: inMemoryMemories() });
  const bad = '"]; click n0 "javascript:alert(1)" | --> <b>';
  await application.remember(ana, "x", { label: untrusted, relations: [{ from: bad, kind: bad, to: "Bo" }] });
  const lines = mermaid(await application.graph(ana)).split("\n");
  expect(lines.filter((line) => line.startsWith("  n"))).toHaveLength(3);
  expect(lines.join("\n")).not.toMatch(/click n0 "|<b>|javascript:alert\(/u);
  expect(lines[2]).toBe('  n1("Bo<br/>untrusted")');
});
