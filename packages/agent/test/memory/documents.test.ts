import { Agent, tool } from "../../src/index.ts";
import type { Embedder, Tool } from "@bailiwick/core";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { documents, inMemoryMemories, type Documents } from "@bailiwick/memory";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const returns = `# Returns

## Deadlines

A customer may send goods back within 30 days.

## Costs

We pay the postage of damaged goods.
`;

const own = async (text = returns): Promise<Documents> => {
  const made = documents({ store: inMemoryMemories() });
  await made.add({ source: "returns.md", text, returns: "own" });
  return made;
};

test("a question finds the passage with its citation, in other forms of the words [documents.search] [documents.citation]", async () => {
  const [first] = await (await own()).search("Who pays the posting of a damage?");
  expect(first).toMatchObject({
    citation: "returns.md#Costs",
    text: "We pay the postage of damaged goods.",
    headings: ["Returns", "Costs"],
  });
  expect(await (await own()).search("")).toEqual([]);
});

test("words of a heading find the text below it; the text is as it is in the document [documents.chunks]", async () => {
  const [first] = await (await own()).search("deadline");
  expect(first).toMatchObject({
    citation: "returns.md#Deadlines",
    text: "A customer may send goods back within 30 days.",
  });
});

test("other languages are found in their other forms [documents.languages]", async () => {
  const made = documents({ store: inMemoryMemories(), languages: ["german", "english"] });
  await made.add({
    source: "a.md",
    text: "# Rücksendungen\n\nDie Käufer bezahlen die Rücksendungen selbst.",
    returns: "own",
  });
  await made.add({ source: "b.md", text: "# Öffnungszeiten\n\nDas Büro öffnet um acht Uhr.", returns: "own" });
  expect((await made.search("Wer bezahlt eine Rücksendung?"))[0]?.source).toBe("a.md");
  expect((await made.search("Wann ist die Öffnung des Büros?"))[0]?.source).toBe("b.md");
});

/** Vectors of an imagined model: texts about animals are alike, whatever their words. */
function animals(): Embedder & { readonly embedded: string[] } {
  const embedded: string[] = [];
  const isAnimal = (text: string): boolean => /cat|feline|tiger/iu.test(text);
  return {
    model: "animals",
    dims: 2,
    embedded,
    embed: async (texts) => {
      embedded.push(...texts);
      return texts.map((text) => (isAnimal(text) ? [1, 0] : [0, 1]));
    },
  };
}

test("with an embedder a paraphrase is found, and passages that did not change are not embedded again [documents.embedder] [documents.unchanged]", async () => {
  const embedder = animals();
  const made = documents({ store: inMemoryMemories(), embedder, logger: quiet });
  const text = "# A\n\nOne tiger sleeps.\n\n# B\n\nThe bicycle is red.\n";
  expect(await made.add({ source: "a.md", text, returns: "own" })).toEqual({ added: 2, removed: 0, kept: 0 });
  expect((await made.search("feline"))[0]?.text).toBe("One tiger sleeps.");
  const before = embedder.embedded.length;
  expect(await made.add({ source: "a.md", text: text.replace("red", "blue"), returns: "own" })).toEqual({
    added: 1,
    removed: 1,
    kept: 1,
  });
  expect(embedder.embedded.slice(before)).toEqual(["B\n\nThe bicycle is blue."]);
  expect(await made.search("red")).not.toContainEqual(expect.objectContaining({ text: "The bicycle is red." }));
});

test("an embedder that fails leaves the passages to be found by their words [documents.embedder]", async () => {
  const embedder: Embedder = { model: "away", dims: 2, embed: async () => Promise.reject(new Error("away")) };
  const made = documents({ store: inMemoryMemories(), embedder, logger: quiet });
  await made.add({ source: "returns.md", text: returns, returns: "own" });
  expect((await made.search("postage"))[0]?.citation).toBe("returns.md#Costs");
});

test("a passage that a person may not see is not found, and does not change the order of the others [documents.readers]", async () => {
  const made = documents({ store: inMemoryMemories() });
  await made.add({ source: "all.md", text: "The budget is open to all.", returns: "own", readers: "public" });
  await made.add({ source: "app.md", text: "The budget of the shop.", returns: "own" });
  const before = await made.search("budget");
  for (let n = 0; n < 20; n += 1)
    await made.add({
      source: `ana-${n}.md`,
      text: `The budget budget of Ana, number ${n}.`,
      returns: "own",
      readers: ["user:ana"],
    });
  await made.add({ source: "team.md", text: "The budget of the team.", returns: "own", readers: ["team:shop"] });
  expect(await made.search("budget")).toEqual(before);
  expect(await made.search("budget", { userId: "ben" })).toEqual(before);
  expect((await made.search("budget", { userId: "ana", limit: 50 })).map(({ source }) => source)).toHaveLength(22);
  expect(
    (await made.search("budget", { userId: "ben", principals: ["team:shop"] })).map(({ source }) => source),
  ).toContain("team.md");
});

const pay: Tool<{ account: string }, string> = tool({
  name: "pay",
  description: "Pays a bill.",
  inputSchema: z.object({ account: z.string() }),
  sideEffectClass: "external-stateful",
  idempotencyKey: "call",
  flow: { authority: ["account"] },
  execute: () => "Paid.",
});

test.each([
  ["own", "completed"],
  ["outside", "suspended"],
] as const)("text of others cannot decide a call: %s ends %s [documents.label]", async (origin, status) => {
  const made = documents({ store: inMemoryMemories() });
  await made.add({ source: "bill.md", text: "# Bill\n\nPay it to DE07.", returns: origin, readers: "public" });
  const model = scriptedModel([
    { toolCalls: [{ name: "search_documents", arguments: { query: "bill" } }] },
    { toolCalls: [{ name: "pay", arguments: { account: "DE07" } }] },
    "Done.",
  ]);
  const agent = new Agent({ name: "desk", model, tools: [made.tool(), pay], logger: quiet });
  const { status: ended } = await agent.run("Pay the bill.");
  expect(ended).toBe(status);
  expect(JSON.stringify(model.requests)).toContain("bill.md#Bill");
});

test("a run of another tenant finds nothing [documents.tenant]", async () => {
  const made = documents({ store: inMemoryMemories(), tenantId: "acme" });
  await made.add({ source: "a.md", text: "The code is 7.", returns: "own" });
  const model = scriptedModel([{ toolCalls: [{ name: "search_documents", arguments: { query: "code" } }] }, "Done."]);
  const agent = new Agent({ name: "desk", model, tools: [made.tool()], logger: quiet });
  const output = await agent.run("Which code?", { tenantId: "other" });
  expect(output.toolCalls[0]?.output).toContain("No passage fits");
});

test("a folder is added once; changed, new and deleted files are followed, also in a new process [documents.folder]", async () => {
  const root = mkdtempSync(join(tmpdir(), "documents-"));
  const folder = join(root, "manuals");
  mkdirSync(join(folder, "deep"), { recursive: true });
  mkdirSync(join(folder, ".git"));
  writeFileSync(join(folder, "a.md"), "# A\n\nFirst.");
  writeFileSync(join(folder, "deep/b.txt"), "Second.");
  writeFileSync(join(folder, ".git/c.md"), "Hidden.");
  writeFileSync(join(folder, "d.png"), "x");
  const open = async (work: (made: Documents) => Promise<void>): Promise<void> => {
    await using store = sqliteStore({ path: join(root, "docs.db"), logger: quiet });
    await work(documents({ store }));
  };
  await open(async (made) => {
    expect(await made.folder(folder, { returns: "own" })).toEqual({ added: 2, removed: 0, kept: 0 });
    expect(await made.sources()).toEqual(["a.md", "deep/b.txt"]);
  });
  await open(async (made) => {
    expect(await made.folder(folder, { returns: "own" })).toEqual({ added: 0, removed: 0, kept: 2 });
    rmSync(join(folder, "a.md"));
    writeFileSync(join(folder, "e.md"), "# E\n\nThird.");
    expect(await made.folder(folder, { returns: "own" })).toEqual({ added: 1, removed: 1, kept: 1 });
    expect(await made.search("first")).toEqual([]);
    expect((await made.search("third"))[0]?.citation).toBe("e.md#E");
    expect(await made.remove("e.md")).toMatchObject({ removed: 1 });
    expect(await made.sources()).toEqual(["deep/b.txt"]);
    await expect(made.folder(join(root, "none"), { returns: "own" })).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });
  rmSync(root, { recursive: true });
});

test("of the questions that users of these guides type, the words alone find the page among ten passages [documents.recall]", async () => {
  const { searches } = (await import(new URL("../../../../docs/site/searches.mjs", import.meta.url).href)) as {
    readonly searches: Readonly<Record<string, string>>;
  };
  const made = documents({ store: inMemoryMemories() });
  const guides = fileURLToPath(new URL("../../../../docs/guides", import.meta.url));
  await made.folder(guides, { returns: "own" });
  const asked = Object.entries(searches).filter(([, page]) =>
    readdirSync(guides).includes(`${page.replace("/guides/", "")}.md`),
  );
  const found = [];
  for (const [words, page] of asked)
    if ((await made.search(words, { limit: 10 })).some(({ source }) => `/guides/${source}` === `${page}.md`))
      found.push(words);
  expect(asked.length).toBeGreaterThan(40);
  expect(found.length / asked.length).toBeGreaterThan(0.8);
});

test("what cannot be honoured is refused when it is given [documents.options]", async () => {
  const store = inMemoryMemories();
  const refused: readonly (readonly [string, () => unknown])[] = [
    ["INVALID_OPTION", () => documents({} as never)],
    ["INVALID_OPTION", () => documents({ store, name: "a b" })],
    ["INVALID_OPTION", () => documents({ store, languages: ["klingon" as never] })],
    ["INVALID_OPTION", () => documents({ store, modelTimeoutMs: 0 })],
    ["UNKNOWN_OPTION", () => documents({ store, language: "german" } as never)],
    ["UNKNOWN_OPTION", () => documents({ store }).tool({ title: "x" } as never)],
  ];
  for (const [code, make] of refused) expect(make).toThrow(expect.objectContaining({ code }));
  const made = documents({ store });
  const bad = [
    { source: "", text: "x", returns: "own" },
    { source: "a", text: 7, returns: "own" },
    { source: "a", text: "x" },
    { source: "a", text: "x", returns: "own", readers: ["ana"] },
  ];
  for (const one of bad) await expect(made.add(one as never)).rejects.toMatchObject({ code: "INVALID_OPTION" });
});
