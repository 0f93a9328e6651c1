import { expect, test } from "vitest";
import { z } from "zod";
import type { Tool } from "../../contracts/tool.ts";
import { tool } from "../../tools/tool.ts";
import { harness } from "./call-harness.test.helper.ts";
import type { HarnessOptions } from "./call-harness.test.helper.ts";

const paying = (more: object = {}): Tool =>
  tool({
    name: "pay_bill",
    description: "Pays.",
    inputSchema: z.object({ to: z.string(), amount: z.number() }),
    sideEffectClass: "side-effecting",
    needsApproval: true,
    execute: () => "paid",
    ...more,
  });
const call = { name: "pay_bill", args: { to: "Anna", amount: 5 } };

async function asked(pay: Tool, more: Partial<HarnessOptions> = {}) {
  const self = await harness({ tools: [pay], calls: [call], ...more });
  const [question] = (await self.drive()).interruptions;
  return { self, question: question! };
}

test("a question of needsApproval has a title, values and the payload, and offers to remember the call or the tool [questions.every-kind]", async () => {
  const { question } = await asked(paying());
  expect(question.question).toMatchObject({
    title: "Pay bill (to: Anna, amount: 5)?",
    level: "normal",
    values: [
      { path: "to", name: "to", shown: "Anna", decides: true, origin: { from: "model" } },
      { path: "amount", shown: "5" },
    ],
    payload: { to: "Anna", amount: 5 },
    remember: ["call", "tool"],
  });
  for (const gone of ["reason", "rule", "origins"]) expect(question).not.toHaveProperty(gone);
});

test("describeCall of a tool makes the title from the parsed input, on one line [questions.title]", async () => {
  const describeCall = ({ to, amount }: { to: string; amount: number }): string => `Pay ${amount} EUR\nto ${to}?`;
  expect((await asked(paying({ describeCall }))).question.question.title).toBe("Pay 5 EUR to Anna?");
});

test.each([
  [
    "throws",
    () => {
      throw new Error("no");
    },
  ],
  ["returns no text", () => 5],
  ["returns an empty text", () => ""],
  ["returns only signs that are hidden", () => " \u202e\u200b?"],
  ["returns a promise", () => Promise.resolve("later")],
])(
  "describeCall that %s leaves the default title, and a record of the failure [questions.title]",
  async (_how, describeCall) => {
    const { self, question } = await asked(paying({ describeCall }));
    expect(question.question.title).toBe("Pay bill (to: Anna, amount: 5)?");
    expect((await self.events()).filter(({ type }) => type === "hook.failed")).toMatchObject([
      { hook: "describeCall of pay_bill" },
    ]);
  },
);

test("describeCall cannot change the input of the call [questions.title]", async () => {
  const seen: unknown[] = [];
  const describeCall = (input: { to: string }): string => {
    input.to = "eve";
    return "Pay?";
  };
  const { self, question } = await asked(paying({ describeCall, execute: (input: unknown) => void seen.push(input) }));
  self.decide(question.approve());
  await self.drive();
  expect(seen).toEqual([{ to: "Anna", amount: 5 }]);
});

test("an answer is remembered only in the scopes that its question offers [questions.remember]", async () => {
  const { self, question } = await asked(paying());
  expect(() => self.decide(question.approve({ remember: "values" }))).toThrow(
    expect.objectContaining({ code: "DECISION_REMEMBER" }) as Error,
  );
});
