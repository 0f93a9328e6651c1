import { memoryStore, tool } from "@bailiwick/core";
import { faultyStore, scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

type Options = Partial<ConstructorParameters<typeof Agent>[0]>;

/** Reads a mail, then sends its content. */
function nightly(options: Options = {}): { readonly agent: Agent; readonly sent: unknown[] } {
  const sent: unknown[] = [];
  const readMail = tool({ name: "read_mail", description: "Reads.", inputSchema: z.object({}), execute: () => "Hi." });
  const sendMail = tool({
    name: "send_mail",
    description: "Sends.",
    inputSchema: z.object({ to: z.string(), body: z.string() }),
    execute: (input) => {
      sent.push(input);
      return true;
    },
  });
  const agent = new Agent({
    name: "nightly",
    logger: quiet,
    model: scriptedModel([
      { toolCalls: [{ name: "read_mail", arguments: {} }] },
      { toolCalls: [{ name: "send_mail", arguments: { to: "ann", body: "Hi" } }] },
      "Done.",
    ]),
    tools: [readMail, sendMail],
    ...options,
  });
  return { agent, sent };
}

test("an unattended run ends instead of asking a person, and names the missing grant [flow.unattended]", async () => {
  const { agent, sent } = nightly({ flow: { planner: false, unattended: "fail" } });
  const output = await agent.run("Answer.");
  expect(output).toMatchObject({ status: "stopped", stopReason: "unattended", interruptions: [] });
  expect(JSON.stringify(output.toolCalls)).toMatch(/UNATTENDED|unattended.*grant/su);
  expect(sent).toEqual([]);
});

test("a run waits for a person by default, and an inline approver is always called [flow.unattended]", async () => {
  for (const unattended of [undefined, "pend"] as const)
    expect(await nightly({ flow: { planner: false, unattended } }).agent.run("Go.")).toMatchObject({
      status: "suspended",
    });
  const attended = nightly({
    flow: { planner: false, unattended: "fail" },
    approval: { onApproval: () => ({ approved: true }) },
  });
  expect(await attended.agent.run("Go.")).toMatchObject({ status: "completed" });
  expect(attended.sent).toHaveLength(1);
});

test.each([
  { unattended: "pend" },
  { undeclared: "guess" },
  { mode: "auto" },
  { answerLinks: "verbatim" },
  { serverDefinitions: "scanned" },
  { lowCapacityLeaves: true },
  { allowUngovernedHostedTools: false },
] as const)("a run may ask for the default that its agent has: %j [options.tighten]", async (flow) => {
  expect(await nightly({ flow: { planner: false } }).agent.run("Go.", { flow })).toMatchObject({ status: "suspended" });
});

test("a tool's question ends the unattended run, unless the tool handles the refusal [flow.unattended.question]", async () => {
  const asking = (execute: (ask: () => Promise<string>) => Promise<string>): Agent =>
    nightly({
      flow: { planner: false, unattended: "fail" },
      model: scriptedModel([{ toolCalls: [{ name: "choose", arguments: {} }] }, "Done."]),
      tools: [
        tool({
          name: "choose",
          description: "Asks a person.",
          inputSchema: z.object({}),
          sideEffectClass: "read-only",
          execute: (_input, ctx) => execute(() => ctx.ask({ question: "Which one?", schema: z.string() })),
        }),
      ],
    }).agent;
  const stopped = await asking((ask) => ask()).run("Go.");
  expect(stopped).toMatchObject({ status: "stopped", stopReason: "unattended", interruptions: [] });
  expect(JSON.stringify(stopped.toolCalls)).toContain("UNATTENDED");
  const handled = await asking((ask) => ask().catch(() => "the default")).run("Go.");
  expect(handled).toMatchObject({ status: "completed", text: "Done." });
});

test("a grant lets the unattended run complete, and a run cannot loosen its agent [flow.unattended]", async () => {
  const granted = nightly({ flow: { planner: false, unattended: "fail" } });
  const args = { to: { eq: "ann" }, body: { composed: true } } as const;
  const grants = [{ tool: "send_mail", args, from: [{ tool: "read_mail" }] }];
  expect(await granted.agent.run("Go.", { grants })).toMatchObject({ status: "completed" });
  expect(granted.sent).toHaveLength(1);
  const { agent } = nightly({ flow: { unattended: "fail" } });
  await expect(agent.run("Go.", { flow: { unattended: "pend" } })).rejects.toMatchObject({ code: "WEAKER_POLICY" });
});

test("an unattended run ends in another process too, if its own dies before the end is written [flow.unattended]", async () => {
  let now = 1_000;
  const store = memoryStore({ clock: { now: () => now, setTimer: () => () => undefined } });
  const ending = ({ args }: { readonly args: readonly unknown[] }): boolean =>
    JSON.stringify(args).includes('"unattended"');
  for (const written of [true, false]) {
    const dying = faultyStore(store, (call) => (ending(call) ? { crash: true, written } : undefined));
    const { agent } = nightly({ store: dying, flow: { planner: false, unattended: "fail" } });
    void agent.run("Go.").catch(() => undefined);
    await dying.crashed;
    now += 60_000;
    const [run] = await store.listRuns({ state: "running" });
    const second = nightly({ store, flow: { planner: false, unattended: "fail" } });
    expect(await second.agent.resume(run?.id ?? "")).toMatchObject({ status: "stopped", stopReason: "unattended" });
    expect(second.sent).toEqual([]);
  }
});
