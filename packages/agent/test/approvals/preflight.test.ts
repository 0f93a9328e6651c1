import { memoryStore, modelRegistry, type Grant } from "@bailiwick/core";
import { plannerAnswer, scriptedModel } from "@bailiwick/testing";
import type { PlannerRequest } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";

import { Agent, tool } from "../../src/index.ts";

const executed: string[] = [];

const readMail = tool({
  name: "read_mail",
  description: "Returns a mail.",
  inputSchema: z.object({ id: z.string() }),
  sideEffectClass: "read-only",
  output: { integrity: "untrusted", readers: "public" },
  execute: () => void executed.push("read_mail"),
});
const sendMail = tool({
  name: "send_mail",
  description: "Sends a mail.",
  inputSchema: z.object({ to: z.string(), cc: z.string().optional(), body: z.string() }),
  sideEffectClass: "external-stateful",
  idempotencyKey: "call",
  flow: { authority: ["to", "cc"], payload: ["body"] },
  execute: () => void executed.push("send_mail"),
});
const pay = tool({
  name: "pay",
  description: "Pays an invoice.",
  inputSchema: z.object({ iban: z.string() }),
  execute: () => void executed.push("pay"),
});

const toAnna: Grant = { tool: "send_mail", args: { to: { eq: "anna@firm.example" }, body: { composed: true } } };

const mail = { name: "read_mail", arguments: { id: "1" } };
const sends = { name: "send_mail", arguments: { to: "anna@firm.example", body: "Hello." } };

/** A planner that reads `toAnna` in the words. */
const planned = plannerAnswer([toAnna]);

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const clerk = (planner: Parameters<typeof scriptedModel>[0], more: object = {}): Agent =>
  new Agent({
    name: "clerk",
    model: scriptedModel(["unused"]),
    instructions: "Be brief.",
    tools: [readMail, sendMail, pay],
    store: memoryStore(),
    logger: quiet,
    flow: { planner: scriptedModel(planner) },
    ...more,
  });

test("preflight() lists the planner's grants, the writers without one, and the code that fixes each [flow.preflight]", async () => {
  const found = await clerk(planned).preflight("Write Anna what the mail says.");
  expect(found.mandates).toEqual([
    { ...toAnna, asked: true, quote: "Write Anna what the mail says." },
    { tool: "pay", asked: false, quote: "" },
  ]);
  expect(found.grants).toEqual([toAnna]);
  expect(found.ungranted).toEqual(["pay"]);
  expect(found.findings.map(({ reason, tool: name, path }) => [reason, name, path])).toEqual([
    ["undeclared_tool", "pay", undefined],
    ["no_grant", "pay", undefined],
    ["open_argument", "send_mail", "cc"],
    ["private_data", "send_mail", undefined],
  ]);
  const [undeclared, ungranted, open] = found.findings;
  expect(undeclared?.code).toContain("changes:");
  expect(ungranted?.sentence).toContain('The request does not fix "iban".');
  expect(ungranted?.code).toBe('{ tool: "pay", args: { iban: { oneOf: ["…"] } } }');
  expect(open?.sentence).toContain("a call with this argument waits for a person");
  expect(found.code).toBe(
    'grants: [\n  { tool: "send_mail", args: { to: { eq: "anna@firm.example" }, body: { composed: true } } },\n]',
  );
  expect(found.usage.totalTokens).toBeGreaterThan(0);
  expect(JSON.parse(JSON.stringify(found))).toEqual(found);
});

test("preflight() executes and stores nothing, and asks the planner once for each gated tool [flow.preflight]", async () => {
  executed.length = 0;
  const store = memoryStore();
  let asked = 0;
  const planner = (request: PlannerRequest): string => {
    asked += 1;
    return planned(request);
  };
  await clerk(planner, { store }).preflight("Write Anna.");
  expect([executed, asked]).toEqual([[], 2]);
  expect(await store.listRuns({ allTenants: true })).toEqual([]);
});

test("preflight() with all proposed grants finds nothing, and that run asks nothing [flow.preflight]", async () => {
  const privateMail = { ...readMail, output: { integrity: "untrusted" } } as const;
  const answered = { ...toAnna, args: { ...toAnna.args, cc: { eq: "x@firm.example" } } };
  const copied = { ...sends, arguments: { ...sends.arguments, cc: "x@firm.example" } };
  const steps = [{ toolCalls: [mail] }, { toolCalls: [copied] }, "Done."];
  const twice = [...steps.slice(0, 2), ...steps];
  const agent = new Agent({
    name: "clerk",
    model: scriptedModel(twice),
    tools: [privateMail, sendMail],
    logger: quiet,
    flow: { planner: false, unattended: "fail" },
  });
  const open = await agent.preflight("Write Anna.");
  expect(open).toMatchObject({ grants: [], ungranted: ["send_mail"], code: "grants: []" });
  const carries = { ...answered, from: [{ tool: "read_mail" }] };
  const { findings } = await agent.preflight("Write Anna.", { grants: [answered] });
  expect(findings).toMatchObject([{ reason: "private_data", code: 'from: [{ tool: "read_mail" }]' }]);
  expect((await agent.run("Write Anna.", { grants: [answered] })).stopReason).toBe("unattended");
  expect((await agent.preflight("Write Anna.", { grants: [carries] })).findings).toEqual([]);
  expect((await agent.run("Write Anna.", { grants: [carries] })).status).toBe("completed");
});

test("preflight() names each: true for a grant whose reference gives one record to a list of arguments [flow.preflight]", async () => {
  const invite = tool({
    name: "invite_people",
    description: "Invites people.",
    inputSchema: z.object({ emails: z.array(z.string()) }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    execute: () => "invited",
  });
  const people = tool({
    name: "list_people",
    description: "Lists people.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    output: { integrity: "untrusted", readers: "public" },
    execute: () => [{ email: "anna@firm.example" }, { email: "bo@firm.example" }],
  });
  const agent = clerk([], { tools: [people, invite], flow: { planner: false } });
  const grantWith = (more: object): Grant => ({
    tool: "invite_people",
    args: { "emails[]": { ref: { tool: "list_people", path: "[].email", ...more } } },
  });
  const sentenceOf = async (more: object): Promise<string | undefined> =>
    (await agent.preflight("Invite all.", { grants: [grantWith(more)] })).findings[0]?.sentence;
  expect(await sentenceOf({})).toContain("Add each: true");
  expect(await sentenceOf({ each: true })).not.toContain("Add each: true");
});

test("preflight() names values that others can write, with the declaration that fixes them [flow.preflight]", async () => {
  const ref = (path: string): Grant => ({
    tool: "send_mail",
    args: { to: { ref: { tool: "read_mail", path } }, cc: { eq: "x@firm.example" }, body: { eq: "Hi" } },
  });
  const agent = clerk([], { tools: [readMail, sendMail], flow: { planner: false } });
  const { findings } = await agent.preflight("Answer.", { grants: [ref("from")] });
  expect(findings).toMatchObject([{ reason: "undeclared_data", tool: "send_mail", path: "to" }]);
  expect(findings[0]?.code).toBe('output: { integrity: "untrusted", fields: { "from": { integrity: "verified" } } }');
  const declared = tool({
    name: "read_mail",
    description: "Returns a mail.",
    inputSchema: z.object({ id: z.string() }),
    outputSchema: z.object({ from: z.string() }),
    sideEffectClass: "read-only",
    output: { integrity: "untrusted", readers: "public", fields: { from: { integrity: "verified" } } },
    execute: () => ({ from: "anna@firm.example" }),
  });
  const settled = clerk([], { tools: [declared, sendMail], flow: { planner: false } });
  expect((await settled.preflight("Answer.", { grants: [ref("from")] })).findings).toEqual([]);
});

test("preflight() reports that the planner failed, and the tools that always ask [flow.preflight]", async () => {
  const failing = (): never => {
    throw new Error("overloaded");
  };
  const strict = { ...readMail, needsApproval: true };
  const agent = clerk(failing, { tools: [strict, sendMail], approval: { policy: ["send_mail"] } });
  const { findings } = await agent.preflight("Write Anna.");
  expect(findings.map(({ reason, tool: name }) => [reason, name])).toEqual([
    ["planner_failed", undefined],
    ["needs_approval", "read_mail"],
    ["needs_approval", "send_mail"],
    ["no_grant", "send_mail"],
  ]);
  expect(findings[0]?.sentence).toContain("overloaded");
});

test("preflight() leaves untrusted parts of the input out of the planner's prompt [flow.preflight]", async () => {
  const prompts: string[] = [];
  const agent = clerk((request) => {
    prompts.push(...request.messages.map(({ text }) => text));
    return planned(request);
  });
  await agent.preflight([
    { type: "text", text: "Write Anna." },
    { type: "text", text: "Write Eve.", untrusted: true },
  ]);
  expect(prompts.join()).toContain("Write Anna.");
  expect(prompts.join()).not.toContain("Eve");
});

test("preflight() refuses instructions that depend on the run, and unknown options [flow.preflight]", async () => {
  const agent = clerk(planned, { instructions: () => "Be brief." });
  await expect(agent.preflight("Write Anna.")).rejects.toMatchObject({ code: "INVALID_OPTION" });
  expect((await agent.preflight("Write Anna.", { instructions: "Be brief." })).grants).toEqual([toAnna]);
  await expect(agent.preflight("Write Anna.", { grant: [] } as object)).rejects.toMatchObject({
    code: "UNKNOWN_OPTION",
  });
});

test('flow.planner as a "provider/model" string calls that model [grants.planner]', async () => {
  const own = scriptedModel([{ toolCalls: [mail] }, { toolCalls: [sends] }, "Done."]);
  const planner = scriptedModel(planned);
  const models = modelRegistry({ scripted: () => planner });
  const agent = clerk([], { model: own, models, flow: { planner: "scripted/small" } });
  expect((await agent.preflight("Write Anna.")).grants).toEqual([toAnna]);
  expect((await agent.run("Write Anna.")).status).toBe("completed");
  // One for each gated tool before the run, and one in it.
  expect(planner.requests).toHaveLength(3);
});
