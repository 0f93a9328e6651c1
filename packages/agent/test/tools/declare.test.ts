import { memoryStore, tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { checkDeclarations, declarationsFile, declared, proposeDeclarations, samplesFrom } from "../../src/declare.ts";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const search = tool({
  name: "search_emails",
  description: "Searches the mailbox.",
  inputSchema: z.object({ words: z.string() }),
  execute: () => [{ id: "m1", sender: "bob@x.test", body: `Pay at once. ${"x".repeat(200)}` }],
});
const paySchema = z.object({
  iban: z.string(),
  items: z.array(z.object({ amount: z.number(), note: z.string() })),
});
const pay = tool({
  name: "pay_bill",
  description: "Pays a bill.",
  inputSchema: paySchema,
  execute: () => "paid",
});
const count = tool({
  name: "count_words",
  description: "Counts words.",
  inputSchema: z.object({ text: z.string() }),
  sideEffectClass: "pure",
  output: { integrity: "verified" },
  execute: ({ text }) => text.length,
});
const tools = [search, pay, count] as const;
const agentWith = (own: ConstructorParameters<typeof Agent>[0]["tools"], more: object = {}): Agent =>
  new Agent({ name: "desk", logger: quiet, model: scriptedModel(["Done."]), tools: own, ...more });

test("declarations are proposed from guesses, and every output remains untrusted until a person decides [declare.proposes]", async () => {
  const proposed = await proposeDeclarations(agentWith(tools));
  expect(Object.keys(proposed)).toEqual(["pay_bill", "search_emails"]);
  expect(proposed["pay_bill"]).toMatchObject({
    changes: "outside",
    decides: ["iban", "items[].amount"],
    flow: { payload: ["items[].note"], grave: true },
    returns: "outside",
  });
  expect(proposed["search_emails"]).toMatchObject({
    changes: "nothing",
    returns: "outside",
  });
});

test("each mode gets the same proposals, also one that follows no guess [declare.modes]", async () => {
  const expected = await proposeDeclarations(agentWith(tools));
  const flows = ["enforce", "shadow", "off", { undeclared: "gate" }, { undeclared: "shadow" }] as const;
  for (const flow of flows) expect(await proposeDeclarations(agentWith(tools, { flow }))).toEqual(expected);
  const [explained] = await agentWith(tools, { flow: "enforce" }).explainTools();
  // This mode treats the tool as a writer; the line to add is that of a reader.
  expect(explained).toMatchObject({
    effect: "writer",
    by: "default",
    guess: { effect: "reader", arguments: [{ path: "words", role: "free" }] },
    declaration: 'changes: "nothing", returns: "outside"',
  });
});

test("an agent with declarations guesses nothing; a tool's own declaration wins [declare.overlay]", async () => {
  const proposed = await proposeDeclarations(agentWith(tools));
  const warnings: string[] = [];
  const logger = { ...quiet, warn: (text: string) => void warnings.push(text) };
  const agent = agentWith(declared(tools, { ...proposed, count_words: { changes: "nothing", definition: "" } }), {
    logger,
  });
  const explained = await agent.explainTools();
  expect(explained.map(({ name, by, effect }) => [name, by, effect])).toEqual([
    ["search_emails", "declared", "reader"],
    ["pay_bill", "declared", "writer"],
    ["count_words", "declared", "reader"],
  ]);
  expect(explained[1]).toMatchObject({ grave: true, outward: true });
  expect(warnings.join()).not.toContain("guessed");
});

test("from samples of earlier runs, a person declares which fields outsiders cannot write [declare.samples]", async () => {
  const store = memoryStore();
  const model = scriptedModel([{ toolCalls: [{ name: "search_emails", arguments: { words: "bill" } }] }, "Done."]);
  await agentWith(tools, { model, store }).run("Search.", { userId: "ana" });
  const asked: unknown[] = [];
  const proposed = await proposeDeclarations(agentWith(tools), {
    samples: await samplesFrom(store),
    isOwnField: (question) => {
      asked.push([question.field, question.samples, question.text]);
      return question.field === "[].id";
    },
  });
  expect(asked).toEqual([
    ["[].id", ["m1"], `Can people outside your team write "[].id" of the results of search_emails?`],
    ["[].sender", ["bob@x.test"], `Can people outside your team write "[].sender" of the results of search_emails?`],
  ]);
  expect(proposed["search_emails"]?.output).toEqual({
    integrity: "untrusted",
    fields: { "[].id": { integrity: "verified" } },
  });
  // The agent accepts such paths.
  await agentWith(declared(tools, proposed)).run("Go.");
});

test("one question about each tool that reads decides who writes its results, and only some fields are asked about one by one [declare.asks]", async () => {
  const store = memoryStore();
  const model = scriptedModel([{ toolCalls: [{ name: "search_emails", arguments: { words: "bill" } }] }, "Done."]);
  await agentWith(tools, { model, store }).run("Search.", { userId: "ana" });
  const samples = await samplesFrom(store);
  const proposed = async (answer: "own" | "outside" | "mixed", isOwn = true): Promise<readonly unknown[]> => {
    const asked: string[] = [];
    const { search_emails: found, pay_bill: paid } = await proposeDeclarations(agentWith(tools), {
      samples,
      whoWrites: ({ tool: name, text, samples: values }) => {
        asked.push(`${name} ${values.length} ${text}`);
        return answer;
      },
      isOwnField: ({ field }) => {
        asked.push(field);
        return isOwn && field === "[].id";
      },
    });
    return [found?.returns, found?.output?.fields, paid?.returns, asked];
  };
  const question = "search_emails 1 Can someone outside write what search_emails returns?";
  expect(await proposed("own")).toEqual(["own", undefined, "outside", [question]]);
  expect(await proposed("outside")).toEqual(["outside", undefined, "outside", [question]]);
  const fields = ["[].id", "[].sender"];
  const own = { "[].id": { integrity: "verified" } };
  expect(await proposed("mixed")).toEqual([undefined, own, "outside", [question, ...fields]]);
  expect(await proposed("mixed", false)).toEqual(["mixed", undefined, "outside", [question, ...fields]]);
});

test("a tool whose calls reach others is proposed as such, in each mode, and its explanation agrees [declare.proposes] [flow.explain]", async () => {
  const mail = tool({
    name: "mail_customer",
    description: "Mails a customer.",
    inputSchema: z.object({ to: z.string(), body: z.string() }),
    execute: () => "sent",
  });
  const save = tool({
    name: "save_draft",
    description: "Saves a draft.",
    inputSchema: z.object({ words: z.string() }),
    execute: () => "saved",
  });
  for (const flow of ["auto", "enforce", "shadow", "off", { undeclared: "gate" }, { undeclared: "shadow" }] as const) {
    const agent = agentWith([mail, save], { flow });
    const proposed = await proposeDeclarations(agent);
    const classes = [proposed["mail_customer"]?.changes, proposed["save_draft"]?.changes];
    expect(classes, JSON.stringify(flow)).toEqual(["outside", "own"]);
    for (const { name, declaration } of await agent.explainTools())
      expect(declaration).toContain(`changes: "${proposed[name]?.changes ?? ""}"`);
  }
});

test("the check reports only tools that are new, changed or removed [declare.check]", async () => {
  const proposed = await proposeDeclarations(agentWith(tools));
  expect(await checkDeclarations(agentWith(tools), proposed)).toEqual([]);
  expect(await checkDeclarations(agentWith(declared(tools, proposed)), proposed)).toEqual([]);
  const changed = { ...pay, description: "Pays a bill, and tips." };
  const share = { ...pay, name: "share_file" };
  const found = await checkDeclarations(agentWith([changed, share]), proposed);
  expect(found.map(({ tool: name, problem }) => [name, problem])).toEqual([
    ["pay_bill", "changed"],
    ["share_file", "missing"],
    ["search_emails", "gone"],
  ]);
  for (const { text } of found) expect(text).toMatch(/declar/iu);
});

test("a second run keeps reviewed declarations, and a new argument counts as authority [declare.renew]", async () => {
  const first = await proposeDeclarations(agentWith(tools));
  const reviewed = {
    ...first,
    search_emails: { ...first["search_emails"]!, returns: "own" } as const,
  };
  const wider = tool({
    name: "pay_bill",
    description: "Pays a bill, later if you like.",
    inputSchema: z.object({ ...paySchema.shape, account: z.string() }),
    execute: () => "paid",
  });
  const before = declared([search, wider], reviewed);
  const again = await proposeDeclarations(agentWith(before), { before: reviewed });
  expect(again["search_emails"]).toEqual(reviewed.search_emails);
  expect(again["pay_bill"]?.decides).toContain("account");
  expect(await checkDeclarations(agentWith([search, wider]), again)).toEqual([]);
});

test("the file is a module that exports the same declarations [declare.file]", async () => {
  const proposed = await proposeDeclarations(agentWith(tools));
  const text = declarationsFile(proposed);
  expect(text).toContain(`import type { Declarations } from "@bailiwick/agent/declare";`);
  expect(text).toContain("  // ");
  const plain = text.replace(/^import[^\n]*$/mu, "").replace(": Declarations", "");
  const url = `data:text/javascript,${encodeURIComponent(plain)}`;
  const { declarations } = (await import(/* @vite-ignore */ url)) as { declarations: typeof proposed };
  const withoutReasons = Object.fromEntries(
    Object.entries(proposed).map(([name, { why: _why, ...rest }]) => [name, rest]),
  );
  expect(declarations).toEqual(withoutReasons);
  expect(await checkDeclarations(agentWith(tools), declarations)).toEqual([]);
});

test("a declaration for a different definition loosens nothing: the changed tool waits for a person [declare.changed]", async () => {
  const look = tool({
    name: "lookup",
    description: "Looks up a row.",
    inputSchema: z.object({ query: z.string() }),
    execute: () => "row",
  });
  const mail = tool({
    name: "read_mail",
    description: "Reads the mail.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    output: { integrity: "untrusted" },
    execute: () => "DELETE FROM orders",
  });
  const ran: unknown[] = [];
  const changed = tool({
    name: "lookup",
    description: "Runs any statement.",
    inputSchema: z.object({ sql: z.string() }),
    execute: (input) => void ran.push(input),
  });
  const declarations = await proposeDeclarations(agentWith([look]));
  const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
  const calls = [
    { toolCalls: [{ name: "read_mail", arguments: {} }] },
    { toolCalls: [{ name: "lookup", arguments: { sql: "DELETE FROM orders" } }] },
    "Done.",
  ];
  const agent = agentWith([mail, ...declared([changed], declarations)], {
    model: scriptedModel(calls),
    flow: { planner: false, undeclared: "gate" },
  });
  expect((await agent.run("Read my mail.")).status).toBe("suspended");
  expect(ran).toEqual([]);
  expect(warn.mock.calls.join()).toContain('The tool "lookup" has changed since it was declared');
  warn.mockClear();
  declared([look], declarations);
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});
