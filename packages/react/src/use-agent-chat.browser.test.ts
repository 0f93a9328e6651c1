import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../../studio/test/launch-browser.fixture.ts";
import { startChatServer, type ChatServer } from "./chat-server.fixture.ts";

let browser: Browser;
let server: ChatServer;

beforeAll(async () => {
  server = await startChatServer();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

let chats = 0;

/** A page on a chat: its texts and its buttons. */
async function open(say: string, from = "in-page") {
  chats += 1;
  const id = `chat-${chats}-of-a-test-page`;
  const page = await browser.newPage();
  // The first run of the server loads the modules of a run, which takes long on a busy machine.
  const visit = async (way: string): Promise<void> => {
    await page.goto(`${server.url}/${way}?chat=${id}&say=${encodeURIComponent(say)}`);
    await page.locator("main[data-status=ready], main[data-status=streaming]").waitFor();
  };
  await visit(from);
  return { page, id, visit };
}
const press = async (page: Page, name: string): Promise<void> => page.getByRole("button", { name }).first().click();
const articles = async (page: Page): Promise<string[]> =>
  page.locator("article").evaluateAll((all) =>
    all.map(
      (one) =>
        `${one.getAttribute("data-role") ?? ""}: ${[...one.querySelectorAll("p")]
          .map((p) => p.textContent)
          .filter((text) => text !== "")
          .join(" ")}`,
    ),
  );
const ids = async (page: Page): Promise<(string | null)[]> =>
  page.locator("article").evaluateAll((all) => all.map((one) => one.getAttribute("data-id")));
/** Waits until no answer is streamed. */
const rest = (page: Page): Promise<void> => page.locator("main[data-status=ready]").waitFor();
const errorOf = async (page: Page): Promise<string | null> => page.getByLabel("Error").textContent();

test.each(["in-page", "from-server", "empty"])(
  "an approval survives a reload, with the history loaded %s, and no message appears twice [react.history]",
  async (way) => {
    const { page, visit } = await open("Please pay.");
    await press(page, "Send");
    await page.getByRole("region", { name: "Question" }).waitFor();
    await rest(page);
    const before = await ids(page);
    const paidBefore = server.paid.length;

    await visit(way);
    await page.getByRole("region", { name: "Question" }).waitFor();
    await expect.poll(() => ids(page)).toEqual(way === "empty" ? before.slice(1) : before);
    await press(page, "Approve");
    await page.getByText(/Answer \d+ to Please pay\./).waitFor();
    await rest(page);
    await expect.poll(() => ids(page)).toEqual(way === "empty" ? before.slice(1) : before);
    expect(server.paid.length).toBe(paidBefore + 1);
    await expect.poll(() => page.getByRole("region", { name: "Question" }).count()).toBe(0);
    await expect.poll(() => errorOf(page)).toBe("");
    await expect.poll(() => page.getByLabel("Run").textContent()).toBe("completed run.end");
    await page.close();
  },
);

test.each(["Approve", "Reject"])(
  "a second tab shows the decision of the first one and the answer without a reload: %s [react.tabs]",
  async (answer) => {
    const { page, id } = await open("Please pay.");
    await press(page, "Send");
    await page.getByRole("region", { name: "Question" }).waitFor();
    await rest(page);
    const other = await browser.newPage();
    await other.goto(`${server.url}/in-page?chat=${id}&say=Next.`);
    await other.getByRole("region", { name: "Question" }).waitFor();
    await press(page, answer);
    await page.getByText(/Answer \d+ to Please pay\./).waitFor();
    await other.getByText(/Answer \d+ to Please pay\./).waitFor();
    await expect.poll(() => other.getByRole("region", { name: "Question" }).count()).toBe(0);
    await rest(other);
    await expect.poll(() => articles(other)).toEqual(await articles(page));
    expect(await errorOf(other)).toBe("");
    await press(other, "Send");
    await other.getByText(/Answer \d+ to Next\./).waitFor();
    await rest(other);
    await page.evaluate(() => globalThis.dispatchEvent(new Event("focus")));
    await page.getByText(/Answer \d+ to Next\./).waitFor();
    await expect.poll(() => articles(page)).toEqual(await articles(other));
    await other.close();
    await page.close();
  },
);

test.each(["Approve", "Reject"])(
  "a person writes on while a call waits, decides it later, and no message is lost or shown twice: %s [server.chat.waiting]",
  async (answer) => {
    const { page, visit } = await open("Please pay.");
    await press(page, "Send");
    await page.getByRole("region", { name: "Question" }).waitFor();
    await rest(page);
    const paidBefore = server.paid.length;
    await press(page, "Say more");
    await page.getByText(/Answer \d+ to More\./).waitFor();
    await rest(page);
    await page.getByRole("region", { name: "Question" }).waitFor();
    await press(page, answer);
    await page.getByText(/Answer \d+ to Please pay\./).waitFor();
    await rest(page);
    await expect.poll(() => page.getByRole("region", { name: "Question" }).count()).toBe(0);
    expect(server.paid.length).toBe(paidBefore + (answer === "Approve" ? 1 : 0));
    const shown = await articles(page);
    expect(shown).toHaveLength(4);
    expect(await errorOf(page)).toBe("");
    await visit("in-page");
    await expect.poll(() => articles(page)).toEqual(shown);
    await page.close();
  },
);

test("a refusal is a sentence on the page, with its code as data [react.refusal]", async () => {
  const { page } = await open("Hello.");
  await page.route("**/api/chat", (route) =>
    route.fulfill({ status: 409, json: { error: { code: "SESSION_BUSY", message: "Another run has the chat." } } }),
  );
  await press(page, "Send");
  await expect.poll(() => errorOf(page)).toBe("Another run has the chat.");
  await page.close();
});

test("earlier messages are loaded page by page [react.history]", async () => {
  const { page, id } = await open("Hello.");
  for (const count of [2, 4, 6]) {
    await press(page, "Send");
    await expect.poll(() => page.locator("article").count()).toBe(count);
    await rest(page);
  }
  const [allIds, all] = [await ids(page), await articles(page)];
  await page.goto(`${server.url}/in-page?chat=${id}&say=Hello.&limit=2`);
  for (const count of [2, 4, 6]) {
    await expect.poll(() => page.locator("article").count()).toBe(count);
    await expect.poll(() => ids(page)).toEqual(allIds.slice(-count));
    if (count < 6) await press(page, "Earlier");
  }
  await expect.poll(() => articles(page)).toEqual(all);
  await expect.poll(() => page.getByRole("button", { name: "Earlier" }).count()).toBe(0);
  await expect.poll(() => errorOf(page)).toBe("");
  await page.close();
});

test("a question of a tool is answered after a reload, and the answer follows [react.questions]", async () => {
  const { page, visit } = await open("Please order.");
  await press(page, "Send");
  await page.getByRole("region", { name: "Question" }).getByText("How many?").waitFor();
  await visit("in-page");
  await press(page, "Answer 3");
  await page.getByText(/Answer \d+ to Please order\./).waitFor();
  await expect.poll(() => articles(page)).toHaveLength(2);
  await expect.poll(() => errorOf(page)).toBe("");
  await page.close();
});

test.each([
  ["Approve all", 2],
  ["Reject all", 0],
])(
  "one answer decides the calls of a batch, and the answer follows: %s [react.questions] [questions.batch]",
  async (answer, more) => {
    const { page } = await open("Please pay twice.");
    await press(page, "Send");
    await page.getByRole("region", { name: "Batch of 2" }).waitFor();
    const paidBefore = server.paid.length;
    await press(page, answer);
    await page.getByText(/Answer \d+ to Please pay twice\./).waitFor();
    expect(server.paid.length - paidBefore).toBe(more);
    await expect.poll(() => page.getByRole("region", { name: /Batch/ }).count()).toBe(0);
    expect(await errorOf(page)).toBe("");
    await page.close();
  },
);

test("the result of a client tool is sent after a reload, and the answer follows [react.client-tools]", async () => {
  const { page, visit } = await open("Please locate.");
  await press(page, "Send");
  await page.getByRole("button", { name: "Locate" }).waitFor();
  await visit("in-page");
  await press(page, "Locate");
  await page.getByText(/Answer \d+ to Please locate\./).waitFor();
  await page.getByText("[locate: output-available]").waitFor();
  await expect.poll(() => articles(page)).toHaveLength(2);
  await expect.poll(() => errorOf(page)).toBe("");
  await page.close();
});

test("an active run is followed after a reload, and survives an unmounted component [react.resume]", async () => {
  const { page, visit } = await open("Be slow.");
  await press(page, "Send");
  await page.getByText("[slow: input-available]").waitFor();
  await visit("in-page");
  await page.getByText("[slow: input-available]").waitFor();
  await press(page, "Leave");
  await page.locator("main").waitFor({ state: "detached" });
  await press(page, "Leave");
  await page.getByText("[slow: input-available]").waitFor();
  server.release();
  await page.getByText(/Answer \d+ to Be slow\./).waitFor();
  await expect.poll(() => articles(page)).toHaveLength(2);
  await page.close();
});

test("the page follows its run when the connection breaks, without an error and without a second message [react.start]", async () => {
  const { page } = await open("Be slow.");
  await press(page, "Send");
  await page.getByText("[slow: input-available]").waitFor();
  for (let cut = 0; cut < 2; cut += 1) {
    const isBack = page.waitForResponse((response) => response.url().endsWith("/stream") && response.ok());
    server.cut();
    await isBack;
    expect(await errorOf(page)).toBe("");
  }
  server.release();
  await page.getByText(/Answer \d+ to Be slow\./).waitFor();
  await expect.poll(() => articles(page)).toHaveLength(2);
  expect(await errorOf(page)).toBe("");
  await page.close();
});

test("stop() cancels the run on the server, also of a resumed stream [react.stop]", async () => {
  const { page, visit } = await open("Be slow.");
  for (const isResumed of [false, true]) {
    await press(page, "Send");
    // The message of the previous run has the same text.
    await expect.poll(() => page.locator("article").count()).toBe(isResumed ? 4 : 2);
    await page.locator("article").last().getByText("[slow: input-available]").waitFor();
    if (isResumed) {
      await visit("in-page");
      await expect.poll(() => page.locator("main").getAttribute("data-status")).toBe("streaming");
    }
    const runId = (await ids(page)).at(-1) ?? "";
    await press(page, "Stop");
    await expect.poll(async () => (await server.agent.inspect(runId)).output?.status).toBe("cancelled");
    await rest(page);
  }
  await page.close();
});

test("regenerate() and an edited message continue in a branch, and a reload shows the same messages [react.branches]", async () => {
  const { page, visit } = await open("Hello.");
  await press(page, "Send");
  await page.getByText(/Answer \d+ to Hello\./).waitFor();
  await rest(page);
  const first = await articles(page);
  await press(page, "Regenerate");
  await expect
    .poll(async () => (await articles(page)).length === 2 && (await articles(page))[1] !== first[1])
    .toBe(true);
  await page.getByText(/Answer \d+ to Hello\./).waitFor();
  await rest(page);
  await press(page, "Edit");
  await page.getByText(/Answer \d+ to Edited\./).waitFor();
  await rest(page);
  const shown = await articles(page);
  expect(shown).toHaveLength(2);
  await visit("in-page");
  await expect.poll(() => articles(page)).toEqual(shown);
  await page.close();
});

test("a decision that another tab made before is refused, and the chat follows the run [react.questions.late]", async () => {
  const { page, id } = await open("Please pay.");
  await press(page, "Send");
  await page.getByRole("region", { name: "Question" }).waitFor();
  await rest(page);
  const other = await browser.newPage();
  await other.goto(`${server.url}/in-page?chat=${id}`);
  await other.getByRole("region", { name: "Question" }).waitFor();
  const paidBefore = server.paid.length;
  await press(page, "Approve");
  await page.getByText(/Answer \d+ to Please pay\./).waitFor();
  await press(other, "Reject");
  await expect.poll(() => errorOf(other)).toContain("was decided before");
  await other.getByText(/Answer \d+ to Please pay\./).waitFor();
  await expect.poll(() => other.getByRole("region", { name: "Question" }).count()).toBe(0);
  expect(server.paid.length).toBe(paidBefore + 1);
  await page.close();
  await other.close();
});

test("the question of another user is refused and then not shown any more [react.questions.late]", async () => {
  const id = "chat-of-two-users-of-a-page";
  const page = await browser.newPage();
  await page.goto(`${server.url}/in-page?chat=${id}&user=ana&say=Please%20pay.`);
  await page.locator("main[data-status=ready]").waitFor();
  await press(page, "Send");
  await page.getByRole("region", { name: "Question" }).waitFor();
  await rest(page);
  const paidBefore = server.paid.length;
  await press(page, "Sign in as Bob");
  await press(page, "Approve");
  await expect.poll(() => errorOf(page)).toContain("There is no run");
  await expect.poll(() => page.getByRole("region", { name: "Question" }).count()).toBe(0);
  expect(server.paid.length).toBe(paidBefore);
  await page.close();
});

test("useRun shows no record of the run before, and none of a run that the server refuses [react.run]", async () => {
  const runs = [
    await server.agent.run("Hello.", { userId: "ana" }),
    await server.agent.run("Hello.", { userId: "ana" }),
    await server.agent.run("Hello.", { userId: "bob" }),
  ];
  const page = await browser.newPage();
  await page.goto(`${server.url}/empty?user=ana&runs=${runs.map(({ runId }) => runId).join(",")}`);
  const text = (): Promise<string | null> => page.getByLabel("Run").textContent();
  for (const at of [0, 1]) {
    await expect.poll(text).toMatch(new RegExp(`^asked ${at}, shown ${at}, [1-9]`));
    await press(page, "Next run");
  }
  await expect.poll(text).toMatch(/^asked 2, shown none, 0 records, There is no run/);
  const shown = await page.evaluate(() => globalThis.shown ?? []);
  expect(shown.filter((one) => !/^asked (\d), shown (?:\1|none, 0)/.test(one))).toEqual([]);
  await page.close();
});
