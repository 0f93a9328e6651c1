import { HttpAgent } from "@ag-ui/client";
import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import { approvalIn, chatId, openPage, seen } from "./chat-page.fixture.ts";
import { suspiciousRefund, words, type SuspiciousRefund } from "./suspicious-refund.fixture.ts";

/** The facts that a person needs to see that an outsider wrote the values. */
const decidingFacts = ["Suspicious: ", "900", "untrusted", "mallory@example.com", "Deal with my newest mail."];

const fetchOf =
  ({ app }: SuspiciousRefund): typeof globalThis.fetch =>
  async (input, init) =>
    app.fetch(new Request(new URL(input instanceof Request ? input.url : input, "http://localhost"), init));

const post = async (served: SuspiciousRefund, path: string, body: object): Promise<[number, string]> => {
  const headers = { "content-type": "application/json" };
  const response = await served.app.request(path, { method: "POST", headers, body: JSON.stringify(body) });
  return [response.status, await response.text()];
};

test("a plain approval of a suspicious question is refused over HTTP, and the acknowledged one counts [questions.acknowledged]", async () => {
  const served = suspiciousRefund();
  const open = await served.ask();
  expect(open.question.level).toBe("suspicious");
  const path = `/runs/${open.runId}/decisions`;
  const plain = open.approve();
  for (const decision of [
    plain,
    { ...open, ...plain },
    { ...plain, args: open.args },
    { ...plain, remember: "values" },
  ]) {
    expect(await post(served, path, { decisions: [decision] })).toEqual([
      409,
      expect.stringContaining("SUSPICIOUS_NOT_ACKNOWLEDGED"),
    ]);
  }
  for (const acknowledged of ["normal", true, ""])
    expect((await post(served, path, { decisions: [{ ...plain, acknowledged }] }))[0]).toBe(400);
  const wrong = { ...open.reject(), acknowledged: "suspicious" };
  expect((await post(served, path, { decisions: [wrong] }))[0]).toBe(400);
  expect(await served.agent.interruptions(open.runId)).toHaveLength(1);
  expect(served.paid).toEqual([]);

  const decision = { ...plain, acknowledged: "suspicious" };
  expect((await post(served, path, { decisions: [decision] }))[0]).toBe(202);
  await expect.poll(() => served.paid).toEqual([900]);
  // The same request again repeats the decision.
  expect((await post(served, path, { decisions: [decision] }))[0]).toBe(202);
  expect(served.paid).toEqual([900]);
});

test("a rejection, and an approval of another level, need no second act [questions.acknowledged]", async () => {
  const attack = suspiciousRefund();
  const open = await attack.ask();
  expect((await post(attack, `/runs/${open.runId}/decisions`, { decisions: [open.reject("No.")] }))[0]).toBe(202);
  expect(attack.paid).toEqual([]);

  const honest = suspiciousRefund(words.honest);
  const asked = await honest.ask();
  expect(asked.question.level).not.toBe("suspicious");
  expect((await post(honest, `/runs/${asked.runId}/decisions`, { decisions: [asked.approve()] }))[0]).toBe(202);
  await expect.poll(() => honest.paid).toEqual([900]);
});

/** A page of plain `useChat` that waits for an approval. */
async function waitingPage(served: SuspiciousRefund, said: string = words.attack) {
  const page = openPage(fetchOf(served));
  await page.sendMessage({ text: said });
  const yes = async (): Promise<void> => {
    await page.addToolApprovalResponse({ id: approvalIn(page.messages[1]), approved: true });
    await expect.poll(() => page.status).toBe("ready");
  };
  return { page, yes };
}
const textOf = ({ parts }: UIMessage): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

test("plain useChat gets a suspicious question once more, with the deciding facts in a text, and the second yes counts [questions.acknowledged]", async () => {
  const served = suspiciousRefund();
  const { page, yes } = await waitingPage(served);
  const first = approvalIn(page.messages[1]);
  await yes();
  expect(page.error).toBeUndefined();
  expect(served.paid).toEqual([]);
  const [, answer] = page.messages;
  if (answer === undefined) throw new Error("The page has no answer.");
  for (const fact of decidingFacts) expect(textOf(answer)).toContain(fact);
  expect(approvalIn(answer)).toBe(`${first}~suspicious`);
  expect(textOf(answer).startsWith("Suspicious: ")).toBe(true);

  await yes();
  expect(page.error).toBeUndefined();
  expect(served.paid).toEqual([900]);
  expect(seen(page.messages).at(-1)).toContain("Done.");
});

test("a page that was loaded again is asked twice too, and a second yes may be a no [questions.acknowledged]", async () => {
  const served = suspiciousRefund();
  const { page, yes } = await waitingPage(served);
  await yes();
  const loaded = (await (await served.app.request(`/chat/${chatId}`)).json()) as { messages: UIMessage[] };
  const later = openPage(fetchOf(served), loaded.messages);
  await later.addToolApprovalResponse({ id: approvalIn(later.messages[1]), approved: true });
  await expect.poll(() => later.status).toBe("ready");
  expect(served.paid).toEqual([]);
  await page.addToolApprovalResponse({ id: approvalIn(page.messages[1]), approved: false });
  await expect.poll(() => page.status).toBe("ready");
  expect(served.paid).toEqual([]);
  expect(seen(page.messages).at(-1)).toContain("output-denied");
});

test("an honest question is asked once in plain useChat [questions.acknowledged]", async () => {
  const served = suspiciousRefund(words.honest);
  const { yes } = await waitingPage(served, words.honest);
  await yes();
  expect(served.paid).toEqual([900]);
});

test.each([
  ["a plain yes", true],
  ["an object", { approved: true }],
])(
  "an AG-UI client gets a suspicious question once more, and the second yes counts: %s [questions.acknowledged]",
  async (_form, payload) => {
    const served = suspiciousRefund();
    const client = new HttpAgent({ url: "http://localhost/ag-ui", threadId: chatId, fetch: fetchOf(served) });
    client.addMessage({ id: "m1", role: "user", content: words.attack });
    await client.runAgent();
    const [first] = client.pendingInterrupts;
    for (const fact of decidingFacts) expect(first?.message).toContain(fact);
    await client.runAgent({ resume: [{ interruptId: first?.id ?? "", status: "resolved", payload }] });
    expect(served.paid).toEqual([]);
    const [second] = client.pendingInterrupts;
    expect(second?.id).toBe(`${first?.id}~suspicious`);
    expect(second?.message?.startsWith("Suspicious: ")).toBe(true);
    await client.runAgent({ resume: [{ interruptId: second?.id ?? "", status: "resolved", payload }] });
    expect(served.paid).toEqual([900]);
  },
);

test("an AG-UI client that sends acknowledged is asked once [questions.acknowledged]", async () => {
  const served = suspiciousRefund();
  const client = new HttpAgent({ url: "http://localhost/ag-ui", threadId: chatId, fetch: fetchOf(served) });
  client.addMessage({ id: "m1", role: "user", content: words.attack });
  await client.runAgent();
  const payload = { approved: true, acknowledged: "suspicious" };
  await client.runAgent({
    resume: [{ interruptId: client.pendingInterrupts[0]?.id ?? "", status: "resolved", payload }],
  });
  expect(served.paid).toEqual([900]);
});
