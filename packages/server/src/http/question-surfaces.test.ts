import { questionHtml, questionMarkdown, questionSlack, questionText, questionView } from "@bailiwick/core/questions";
import type { Interruption } from "@bailiwick/core";
import { expect, test } from "vitest";
import { describeQuestion } from "../../../cli/src/questions/describe-question.ts";
import type { Terminal } from "../../../cli/src/output/terminal.ts";
import { answersTo, formsFor } from "../../../mcp/src/server/questions.ts";
import { toInterrupt } from "../ag-ui/interrupts.ts";
import { suspiciousRefund, words, type SuspiciousRefund } from "./suspicious-refund.fixture.ts";

const terminal = { paint: (_color: string, text: string) => text } as unknown as Terminal;

/** The text that a person reads of JSON, HTML or Markdown. */
const plain = (text: string): string => text.replaceAll(/<[^>]*>|\\(?=[^n])/gu, "").replaceAll(/\\n|\s+/gu, " ");

/** Each channel that shows a question, by its name. */
const surfaces: Readonly<
  Record<string, (open: Interruption, app: SuspiciousRefund["app"]) => string | Promise<string>>
> = {
  "plain text": (open) => questionText(open),
  HTML: (open) => questionHtml(open),
  Markdown: (open) => questionMarkdown(open),
  Slack: (open) => JSON.stringify(questionSlack(open, { url: "https://desk.example", buttons: true })),
  "a terminal": (open) => describeQuestion(terminal, open),
  "AG-UI": (open) => JSON.stringify(toInterrupt(open, false).message),
  "plain useChat": async ({ runId }, app) => (await app.request(`/runs/${runId}/stream`)).text(),
  MCP: (open) => JSON.stringify(formsFor([open])),
};

test.each(Object.entries(surfaces))(
  "the level and the deciding facts of an attack are on the screen, and its honest twin looks ordinary: %s [questions.channels]",
  async (_name, show) => {
    const shown = async (said: string): Promise<string> => {
      const { ask, app } = suspiciousRefund(said);
      return plain(await show(await ask(), app));
    };
    const attack = await shown(words.attack);
    for (const fact of ["900", "mallory@example.com", "Refund order 7 with"]) expect(attack).toContain(fact);
    expect(attack).toMatch(/suspicious/iu);
    expect(attack).toMatch(/untrusted|copied from the result of "read mail"/u);
    const honest = await shown(words.honest);
    expect(honest).toContain("900");
    expect(honest).not.toMatch(/suspicious/iu);
    expect(honest).not.toContain("mallory");
  },
);

test("texts of strangers add no markup, links or mentions to a message [questions.channels]", async () => {
  const open = await suspiciousRefund().ask();
  const hostile = `<img src=x> [here](https://evil.example) *now* <@U1> & "quoted"`;
  const told = { ...open, question: { ...open.question, title: hostile, reason: hostile } };
  expect(questionHtml(told)).not.toContain("<img");
  expect(questionHtml(told)).toContain("&lt;img src=x&gt;");
  expect(questionMarkdown(told)).toContain("\\<img src=x\\> \\[here\\]");
  for (const block of questionSlack(told, { url: "https://desk.example" }))
    if (block.type === "section") expect(block).toMatchObject({ text: { type: "plain_text" } });
});

test("Slack has no Approve button for a suspicious question, and one for its honest twin [questions.acknowledged]", async () => {
  const actionsOf = (open: Interruption): unknown[] =>
    questionSlack(open, { url: "https://desk.example", buttons: true }).flatMap((block) =>
      block.type === "actions" ? (block["elements"] as { action_id: string }[]).map((one) => one.action_id) : [],
    );
  expect(actionsOf(await suspiciousRefund(words.attack).ask())).toEqual(["reject", "open"]);
  expect(actionsOf(await suspiciousRefund(words.honest).ask())).toEqual(["approve", "reject", "open"]);
});

test.each([
  [{ approve: true }, []],
  [{ approve: true, acknowledged: false }, []],
  [{ approve: true, acknowledged: true }, ["approve"]],
  [{ approve: false }, ["reject"]],
])(
  "an MCP client's form approves a suspicious call with a second field only: %j [questions.acknowledged]",
  async (content, expected) => {
    const open = await suspiciousRefund().ask();
    const responses = { q0: { action: "accept", content } };
    const { decisions } = await answersTo([open], responses, {}, () => true);
    expect(decisions.map(({ type }) => type)).toEqual(expected);
  },
);

test("a view has at most three sentences first, and all facts [questions.channels]", async () => {
  const open = await suspiciousRefund().ask();
  const unusual = ["One.", "Two.", "Three."].map((text) => ({ kind: "found_by_code" as const, text }));
  const view = questionView({ ...open, question: { ...open.question, reason: "Why.", unusual } });
  expect(view?.sentences).toEqual(["Why.", "One.", "Two."]);
  expect(view?.more).toEqual(["Three."]);
  expect(view?.calls[0]?.values.map(({ quoteParts }) => quoteParts?.value)).toEqual(["7", "900"]);
  expect(questionView([])).toBeUndefined();
});
