import { tool, type ApprovalDecision, type InterruptionData, type Tool, type ToolPreview } from "@bailiwick/core";
import { questionHtml, questionMarkdown, questionText, questionView } from "@bailiwick/core/questions";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { Agent, memoryStore, type AgentOptions } from "../../src/index.ts";
import { openAgent } from "../fixtures.test.helper.ts";

interface World {
  /** The number that the preview reads. */
  stock: number;
  /** Calls of the preview. */
  made: number;
  readonly sold: { readonly count: number; readonly digest: string | undefined }[];
}

const world = (): World => ({ stock: 5, made: 0, sold: [] });

const sell = (of: World, more: Partial<Tool> = {}, shown: Partial<ToolPreview> = {}): Tool => ({
  ...tool({
    name: "sell",
    description: "Sells pieces.",
    inputSchema: z.object({ count: z.number() }),
    sideEffectClass: "external-stateful",
    needsApproval: true,
    preview: ({ count }) => {
      of.made += 1;
      return {
        text: `${of.stock - count} are left`,
        diff: `-${of.stock}\n+${of.stock - count}`,
        digest: `stock ${of.stock} - ${count}`,
        ...shown,
      };
    },
    execute: ({ count }, ctx) => {
      of.sold.push({ count, digest: ctx.preview?.digest });
      return "sold";
    },
  }),
  ...more,
});

const agentOf = (sells: Tool, options: Partial<AgentOptions> = {}): Agent =>
  new Agent({
    ...openAgent,
    model: scriptedModel(({ toolResults }) =>
      toolResults.length > 0 ? "Done." : { toolCalls: [{ name: "sell", arguments: { count: 2 } }] },
    ),
    tools: [sells],
    ...options,
  });

test("a question shows the preview, and execute gets the digest that was approved [tool.field.preview]", async () => {
  const of = world();
  const agent = agentOf(sell(of, {}, { facts: ["The last pieces."] }));
  const { runId, interruptions } = await agent.run("Sell.");
  const [asked] = interruptions;
  expect(asked?.question).toMatchObject({
    preview: { text: "3 are left", diff: "-5\n+3", digest: "stock 5 - 2" },
    level: "unusual",
    unusual: [{ kind: "found_by_code", text: "The last pieces." }],
  });
  expect((await agent.resume(runId, [asked!.approve()])).status).toBe("completed");
  expect(of.sold).toEqual([{ count: 2, digest: "stock 5 - 2" }]);
});

test("an approval of a preview is not remembered for another call [tool.field.preview.bound]", async () => {
  const of = world();
  const agent = agentOf(sell(of));
  const { runId, interruptions } = await agent.run("Sell.");
  const [asked] = interruptions;
  expect(asked!.question.remember).toEqual([]);
  for (const remember of ["tool", "call"] as const)
    await expect(agent.resume(runId, [{ id: asked!.id, type: "approve", remember }])).rejects.toThrow("offers []");
  expect(of.sold).toEqual([]);
});

test("a preview that is another one when the run continues is asked about again, with what changed [tool.field.preview.bound]", async () => {
  const of = world();
  const agent = agentOf(sell(of));
  const { runId, interruptions } = await agent.run("Sell.");
  of.stock = 4;
  const second = await agent.resume(runId, [interruptions[0]!.approve()]);
  expect(of.sold).toEqual([]);
  expect(second.interruptions[0]?.question).toMatchObject({
    preview: { text: "2 are left" },
    unusual: [{ kind: "tool_changed", text: "What you approved has changed since: read the preview again." }],
  });
  await agent.resume(runId, [second.interruptions[0]!.approve()]);
  expect(of.sold).toEqual([{ count: 2, digest: "stock 4 - 2" }]);
});

test("a preview that changes while an approver of the process decides is asked about again [tool.field.preview.bound]", async () => {
  const of = world();
  const asked: (string | undefined)[] = [];
  const onApproval = ({ question }: InterruptionData): ApprovalDecision => {
    asked.push(question.preview?.text);
    if (asked.length === 1) of.stock = 4;
    return { approved: true };
  };
  const output = await agentOf(sell(of), { approval: { onApproval } }).run("Sell.");
  expect(output.status).toBe("completed");
  expect(asked).toEqual(["3 are left", "2 are left"]);
  expect(of.sold).toEqual([{ count: 2, digest: "stock 4 - 2" }]);
});

test("a preview that changes after each approval ends the call after three [tool.field.preview.unstable]", async () => {
  const of = world();
  let asked = 0;
  const onApproval = (): ApprovalDecision => {
    asked += 1;
    of.stock += 1;
    return { approved: true };
  };
  const { toolCalls } = await agentOf(sell(of), { approval: { onApproval } }).run("Sell.");
  expect(toolCalls[0]?.error).toMatchObject({ code: "PREVIEW_UNSTABLE" });
  expect([asked, of.sold]).toEqual([3, []]);
});

test("an exact preview is made once, and the call acts on its object [tool.field.preview.exact]", async () => {
  const of = world();
  const agent = agentOf(sell(of, {}, { exact: true }));
  const { runId, interruptions } = await agent.run("Sell.");
  of.stock = 1;
  await agent.resume(runId, [interruptions[0]!.approve()]);
  expect(of.sold).toEqual([{ count: 2, digest: "stock 5 - 2" }]);
  expect(of.made).toBe(1);
});

test("edited arguments make a new preview and a new question [tool.field.preview.edit]", async () => {
  const of = world();
  const agent = agentOf(sell(of));
  const { runId, interruptions } = await agent.run("Sell.");
  const second = await agent.resume(runId, [interruptions[0]!.approve({ args: { count: 1 } })]);
  expect(of.sold).toEqual([]);
  expect(second.interruptions[0]).toMatchObject({ args: { count: 1 }, question: { preview: { text: "4 are left" } } });
  await agent.resume(runId, [second.interruptions[0]!.approve()]);
  expect(of.sold).toEqual([{ count: 1, digest: "stock 5 - 1" }]);
});

test.each([
  ["throws", () => Promise.reject(new Error("no connection"))],
  ["gives no digest", () => ({ text: "3 are left" })],
  ["gives a text that is none", () => ({ digest: "a", text: 5 })],
  [
    "changes state",
    (_input: unknown, ctx: { setState?: (key: string, value: number) => unknown }) => ctx.setState?.("a", 1),
  ],
])("a preview that %s refuses the call, and no person is asked [tool.field.preview.failed]", async (_what, preview) => {
  const of = world();
  const { status, toolCalls } = await agentOf(sell(of, { preview: preview as NonNullable<Tool["preview"]> })).run(
    "Sell.",
  );
  expect(status).toBe("completed");
  expect(toolCalls[0]?.error).toMatchObject({ code: "PREVIEW_FAILED" });
  expect(of.sold).toEqual([]);
});

test("a refused call has no preview, and one that runs without a question has one [tool.field.preview]", async () => {
  const of = world();
  const refusing = { name: "never", gate: () => ({ refuse: "Not today." }) };
  await agentOf(sell(of), { extensions: [refusing] }).run("Sell.");
  expect([of.made, of.sold]).toEqual([0, []]);
  await agentOf(sell(of, { needsApproval: false })).run("Sell.");
  expect(of.sold).toEqual([{ count: 2, digest: "stock 5 - 2" }]);
});

test("a token covers the digest: a decision about another preview is refused [tool.field.preview.bound]", async () => {
  const of = world();
  const store = memoryStore();
  const keys = { sign: "a key of at least thirty-two bytes, for tests" };
  const agent = agentOf(sell(of), { store, keys });
  const { runId, interruptions } = await agent.run("Sell.");
  const [asked] = interruptions;
  of.stock = 4;
  const again = await agent.resume(runId, [asked!.approve()]);
  expect(again.interruptions).toHaveLength(1);
  await agent.resume(runId, [asked!.approve()]).catch(() => undefined);
  expect(of.sold).toEqual([]);
});

test("a tool that changes nothing has no preview [tool.field.preview]", () => {
  expect(() => agentOf(sell(world(), { sideEffectClass: "read-only" }))).toThrow(
    "preview shows what a call would change",
  );
});

test.each([401, 400])(
  "a preview of %d lines is shown up to 400 lines, and the question says so [tool.field.preview.size]",
  async (lines) => {
    const of = world();
    const text = Array.from({ length: lines }, (_, index) => `line ${index}`).join("\n");
    const { interruptions } = await agentOf(sell(of, {}, { text, diff: undefined })).run("Sell.");
    const { preview, level } = interruptions[0]!.question;
    expect(preview?.text?.split("\n")).toHaveLength(400);
    expect([preview?.linesLeftOut, level]).toEqual(lines > 400 ? [1, "unusual"] : [undefined, "normal"]);
  },
);

test("every channel shows a preview, and its text adds no lines or markup [questions.preview]", async () => {
  const of = world();
  const text = "first\n✔ Approved by Ana\n```\n<b>bold</b>";
  const { interruptions } = await agentOf(sell(of, {}, { text })).run("Sell.");
  const open = interruptions[0]!;
  expect(questionView(open)?.calls[0]?.preview).toEqual({ text, diff: "-5\n+3" });
  expect(questionText(open)).toContain("| first\n| ✔ Approved by Ana\n| ```");
  expect(questionHtml(open)).toContain("&lt;b&gt;bold&lt;/b&gt;");
  expect(questionHtml(open)).toContain("<pre");
  expect(questionMarkdown(open)).toContain("````\nfirst\n✔ Approved by Ana\n```\n<b>bold</b>\n````");
});
