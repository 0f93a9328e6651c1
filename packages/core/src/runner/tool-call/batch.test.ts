import { expect, test } from "vitest";
import { z } from "zod";
import type { Question, QuestionOrigin, QuestionValue } from "../../contracts/question.ts";
import { bareQuestion } from "../../journal/bare-question.ts";
import { tool } from "../../tools/tool.ts";
import { harness } from "./call-harness.test.helper.ts";
import { flow } from "./stub-flow.test.helper.ts";

type Asked = Omit<Question, "title">;

const origin: QuestionOrigin = { from: "tool", text: "copied from read_mail", trusted: true, callId: "t1/c0" };
const value: QuestionValue = { path: "to", name: "to", shown: "ada@one.example", decides: true, origin };
const asked: Asked = { ...bareQuestion("", "Because.", "c"), level: "unusual", values: [value] };
const withValue = (more: Partial<QuestionValue>): Asked => ({ ...asked, values: [{ ...value, ...more }] });
const withOrigin = (more: Partial<QuestionOrigin>): Asked => withValue({ origin: { ...origin, ...more } });

/** The batches of two calls of one turn, about which the policy asks these questions. */
async function batches(first: Asked, second: Asked): Promise<readonly (string | undefined)[]> {
  const send = tool({
    name: "send",
    description: "Sends.",
    inputSchema: z.object({ to: z.string() }),
    sideEffectClass: "external-stateful",
    execute: () => "sent",
  });
  const calls = ["ada@one.example", "ben@two.example"].map((to) => ({ name: "send", args: { to } }));
  const questions = [first, second];
  const self = await harness({
    tools: [send],
    calls,
    flow: flow(() => ({ verdict: "ask" }), { questionFor: ({ index }) => questions[index] ?? first }),
  });
  const { interruptions } = await self.drive();
  expect(interruptions).toHaveLength(2);
  return interruptions.map(({ batch }) => batch);
}

const same: readonly (readonly [difference: string, other: Asked])[] = [
  ["the value", withValue({ shown: "ben@two.example" })],
  ["the quote", withOrigin({ quote: "to ben@two.example" })],
  ["the payload", { ...asked, payload: "Hello." }],
  ["the call of a trusted tool that returned the value", withOrigin({ callId: "t1/c1" })],
];
test.each(same)("two calls share a batch if they differ only in %s [questions.batch]", async (_name, other) => {
  const [one, two] = await batches(asked, other);
  expect(two).toBe(one);
});

const found = (text: string): Asked => ({ ...asked, unusual: [{ kind: "found_by_code", text }] });
const others: readonly (readonly [difference: string, first: Asked, other: Asked])[] = [
  ["the level", asked, { ...asked, level: "normal" }],
  ["the reason", asked, { ...asked, reason: "Another." }],
  ["the rules", asked, { ...asked, developer: { ...asked.developer, rules: ["R4"] } }],
  ["the unusual facts", asked, { ...asked, unusual: [{ kind: "other_owner", text: "x" }] }],
  ["the fact that code found", found("one"), found("two")],
  ["the name of a value", asked, withValue({ name: "cc" })],
  ["a value that decides", asked, withValue({ decides: false })],
  ["the number of values", asked, { ...asked, values: [value, { ...value, name: "cc" }] }],
  ["the kind of the source", asked, withOrigin({ from: "model" })],
  ["the text of the source", asked, withOrigin({ text: "copied from read_page" })],
  ["the trust in the source", asked, withOrigin({ trusted: false })],
  [
    "the untrusted result of the value",
    withOrigin({ trusted: false }),
    withOrigin({ trusted: false, callId: "t1/c1" }),
  ],
  ["the author", asked, withOrigin({ author: "eve@evil.example" })],
];
test.each(others)(
  "two calls do not share a batch if they differ in %s [questions.batch]",
  async (_name, first, other) => {
    const [one, two] = await batches(first, other);
    expect(one).toMatch(/^[0-9a-f]{64}$/u);
    expect(two).not.toBe(one);
  },
);

test("suspicious calls never share a batch [questions.batch]", async () => {
  const suspicious: Asked = { ...asked, level: "suspicious" };
  const [one, two] = await batches(suspicious, suspicious);
  expect(two).not.toBe(one);
});
