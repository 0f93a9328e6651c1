import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../../../packages/studio/test/launch-browser.fixture.ts";
import { openMailbox } from "../src/mailbox/mailbox.ts";
import { openDatabase } from "../src/shop/database.ts";
import { openShop } from "../src/shop/shop.ts";
import { DeskFolder, type DeskProcess } from "./desk-process.ts";
import { heldModel } from "./held-model.ts";

let browser: Browser;
/** One desk for the tests of different mails: each start takes seconds. */
let folder: DeskFolder;
let server: DeskProcess;

beforeAll(async () => {
  folder = new DeskFolder();
  server = await folder.start();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await folder[Symbol.asyncDispose]();
});

/** Approves in the way that the question's level requires. */
async function approve(card: Locator): Promise<void> {
  await card.waitFor();
  const isSuspicious = (await card.getAttribute("class"))?.includes("suspicious") === true;
  await card.getByRole("button", { name: /^Approve/ }).click();
  if (!isSuspicious) return;
  const check = card.getByRole("checkbox", { name: /I checked the values/ });
  await expect.poll(() => card.getByRole("button", { name: "Approve anyway" }).isDisabled()).toBe(true);
  await check.check();
  await card.getByRole("button", { name: "Approve anyway" }).click();
}

async function openPage(url: string, path = ""): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`${url}/${path}`);
  return page;
}

function refundsOf(folder: DeskFolder, orderId: string) {
  const database = openDatabase(join(folder.path, "desk.db"));
  try {
    return openShop(database).listRefunds(orderId);
  } finally {
    database.close();
  }
}

test("open, handle a mail, see the answer stream, approve: one refund, one answer", async () => {
  const page = await openPage(server.url);
  await page.getByText("Embedded demo model", { exact: true }).waitFor();
  await page.getByRole("link", { name: /Éloïse Tarnier/ }).click();
  await page.getByRole("button", { name: "Handle this mail" }).click();

  const approval = page.getByRole("region", { name: /Approve/ });
  await approval.waitFor();
  await expect.poll(() => page.locator("[data-tool=read_mail]").getAttribute("data-state")).toBe("output-available");
  await expect
    .poll(() => page.locator("[data-tool=issue_refund]").first().getAttribute("data-state"))
    .toBe("approval-requested");
  expect(refundsOf(folder, "FH-10191")).toEqual([]);

  await approve(approval);
  await page.getByText("Refunded 249.00 EUR on FH-10191").waitFor();
  await page.getByRole("region", { name: "Written back" }).waitFor();
  expect(refundsOf(folder, "FH-10191")).toMatchObject([{ amountCents: 24_900 }]);
  await page.close();
});

test("the desk refunds the amount that the person entered", async () => {
  const page = await openPage(server.url, "#/mail/m-015");
  await page.getByRole("button", { name: "Handle this mail" }).click();
  await page.getByLabel("amount").fill("90");
  await approve(page.getByRole("region", { name: /Approve/ }));
  await page.getByText("Refunded 90.00 EUR on FH-10195").waitFor();
  expect(refundsOf(folder, "FH-10195")).toMatchObject([{ amountCents: 9_000 }]);
  await page.close();
});

test("a call that a hostile mail makes the model try is rejected in the inbox, and nothing is sent", async () => {
  const page = await openPage(server.url, "#/mail/m-032");
  await page.getByRole("button", { name: "Handle this mail" }).click();
  const approval = page.getByRole("region", { name: /Approve: Forward the mail/ });
  await approval.getByText("Stopped before it ran.").waitFor();
  await expect.poll(() => approval.locator(".primary").innerText()).toBe("Reject…");
  // The picture is what its link opens: the question is on the timeline.
  const inbox = await page.getByRole("link", { name: /Inbox/ }).getAttribute("href");
  await page.getByRole("link", { name: "How its data flowed" }).click();
  await page.locator(".flow-node", { hasText: "forward_mail" }).waitFor();
  await expect.poll(() => page.locator(".question").count()).toBe(0);
  await page.getByRole("link", { name: /Decide: .*audit-2026/ }).click();
  await page.locator(".question.suspicious").waitFor();
  await page.goto(`${server.url}${inbox}`);
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  await page.getByLabel("Reason, which the model reads (optional)").fill("not to strangers");
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  await page.getByText("Nothing waits for a person").waitFor();
  await page.goto(`${server.url}/#/mail/m-032`);
  await page.locator("[data-tool=forward_mail][data-state=output-denied]").getByText("stopped, not run").waitFor();
  const guide = page.getByRole("region", { name: "Scene: A phishing mail that is stopped" });
  await guide.getByText("Nothing was sent to the stranger.").waitFor();
  await guide.getByRole("link", { name: "See how the data flowed" }).click();
  await page
    .locator(".flow-node", { hasText: "forward_mail" })
    .getByText("rejected by a person, it did not run")
    .waitFor();
  await page.goto(`${server.url}/#/mail/m-032`);
  await page.getByRole("region", { name: "Written back" }).waitFor();
  const mail = (await (await fetch(`${server.url}/api/mails/m-032`)).json()) as { outbox: { kind: string }[] };
  expect(mail).toMatchObject({ outbox: [{ kind: "draft" }] });
  await page.close();
});

test("a specialist's question is shown on the mail's page, and the run continues after the answer", async () => {
  const page = await openPage(server.url, "#/mail/m-029");
  await page.getByRole("button", { name: "Handle this mail" }).click();
  await page.getByRole("region", { name: "Approve: File a claim with the carrier?" }).waitFor();
  await page.getByText("The specialist parcels asks").waitFor();
  await expect
    .poll(() => page.locator("[data-tool=ask_parcels]").getAttribute("data-state"))
    .toBe("approval-requested");
  await approve(page.getByRole("region", { name: /Approve/ }));
  await page
    .getByText(/Claim 1 is filed with/)
    .last()
    .waitFor();
  await page.getByRole("region", { name: "Written back" }).waitFor();
  await page.close();
});

test("a tool's question is answered on the page, with the keyboard alone, and the agent continues with the answer", async () => {
  const page = await openPage(server.url, "#/mail/m-012");
  await page.getByRole("button", { name: "Handle this mail" }).click();
  const question = page.getByRole("region", { name: /FH-10229.* Can it still be stopped\?/ });
  await question.waitFor();
  const send = question.getByRole("button", { name: "Answer" });
  await expect.poll(() => send.isDisabled()).toBe(true);
  await page.locator("[data-tool=ask_colleague]").getByText("waits for an answer").waitFor();
  await question.getByText("choose an answer").waitFor();

  // The inbox has it too, but it cannot be approved there.
  await page.getByRole("link", { name: /Inbox/ }).click();
  await page.getByRole("article", { name: /Can it still be stopped/ }).waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Approve" }).count()).toBe(0);
  await page.goBack();

  await question.getByRole("radio", { name: "yes" }).focus();
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => question.getByRole("radio", { name: "no", exact: true }).isChecked()).toBe(true);
  await page.keyboard.press("Tab");
  await page.keyboard.type("it was shipped an hour ago");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("You say: no, it was shipped an hour ago.").waitFor();
  await expect
    .poll(() => page.locator("[data-tool=ask_colleague]").getAttribute("data-state"))
    .toBe("output-available");
  await question.waitFor({ state: "detached" });
  await page.close();
});

test("an answer that does not fit its schema shows an error on the card, and the question stays open", async () => {
  await using folder = new DeskFolder();
  const server = await folder.start();
  const page = await openPage(server.url, "#/mail/m-012");
  await page.getByRole("button", { name: "Handle this mail" }).click();
  const question = page.getByRole("region", { name: /Can it still be stopped/ });
  await question.getByRole("radio", { name: "not yet" }).check();
  await question.getByLabel(/What the agent should know/).fill("x".repeat(501));
  await question.getByRole("button", { name: "Answer" }).click();
  await question.getByRole("alert").waitFor();
  await question.getByLabel(/What the agent should know/).fill("ask again on Monday");
  await question.getByRole("button", { name: "Answer" }).click();
  await page.getByText("You say: not yet, ask again on Monday.").waitFor();
  await page.close();
});

test("the server is killed while the refund waits, another starts, the page approves: one refund", async () => {
  await using folder = new DeskFolder();
  const first = await folder.start();
  const page = await openPage(first.url, "#/mail/m-021");
  await page.getByRole("button", { name: "Handle this mail" }).click();
  await page.getByRole("region", { name: /Approve/ }).waitFor();
  await first.kill();

  const second = await folder.start(Number(new URL(first.url).port));
  await approve(page.getByRole("region", { name: /Approve/ }));
  await page.getByText("Refunded 212.00 EUR on FH-10184").waitFor();
  expect(refundsOf(folder, "FH-10184")).toHaveLength(1);
  expect(second.url).toBe(first.url);
  await page.close();
});

test("the button of the crash scene kills the worker in mid-run, and the page shows one refund without a reload", async () => {
  await using model = await heldModel("find_order");
  await using crashing = new DeskFolder(model.env);
  const supervised = await crashing.start(0, "src/supervise.ts");
  const page = await openPage(supervised.url, "#/mail/m-002");
  await page.getByRole("button", { name: "Handle this mail" }).click();
  await page.locator("[data-tool=find_order]").waitFor();
  await page.getByRole("button", { name: "Kill the worker" }).click();
  model.release();
  await page.getByText("Refunded 39.90 EUR on FH-10187").waitFor();
  expect(refundsOf(crashing, "FH-10187")).toHaveLength(1);
  // The guide ticks each step and shows the shop's record.
  const guide = page.getByRole("region", { name: "Scene: A crash in the middle of a refund" });
  await guide.getByText("another one finished the run. The shop recorded one refund of 39.90 EUR.").waitFor();
  await expect.poll(() => guide.locator("li.done").count()).toBe(3);
  // The timeline has a bar for the process that ended, and no call stays open.
  await guide.getByRole("link", { name: "See what happened" }).click();
  await page.locator(".bar-row.crash", { hasText: "The process ended, another one continued" }).waitFor();
  await expect.poll(() => page.locator(".waterfall").getByText("open", { exact: true }).count()).toBe(0);
  await page.close();
});

/** Puts a mail into the desk's mailbox. */
function deliver(folder: DeskFolder, mail: { readonly id: string; readonly subject: string; readonly body: string }) {
  const database = openDatabase(join(folder.path, "desk.db"));
  try {
    const from = { name: "N".repeat(200), address: "n@example.com" };
    openMailbox(database).deliver({ ...mail, from, receivedAt: "2026-11-20T08:00:00.000Z", attachments: [] });
  } finally {
    database.close();
  }
}

test("every mail stays text inside its pane, with a notice about hidden parts", async () => {
  await using folder = new DeskFolder();
  const server = await folder.start();
  const script = "<img src=x onerror='window.ran=1'><script>window.ran=1</script>";
  deliver(folder, { id: "m-901", subject: script, body: `${script}\u202egnp.exe ${"W".repeat(5_000)}` });
  deliver(folder, { id: "m-902", subject: "L".repeat(800), body: "A very long mail. ".repeat(20_000) });
  for (const width of [320, 1_200]) {
    for (const id of ["m-901", "m-902"]) {
      const page = await openPage(server.url, `#/mail/${id}`);
      await page.setViewportSize({ width, height: 700 });
      const letter = page.getByRole("article", { name: "Mail" });
      await letter.waitFor();
      await expect.poll(() => page.evaluate("window.ran")).toBeUndefined();
      await expect.poll(() => letter.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      await expect.poll(() => page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
      // The panes scroll, and not the page around them.
      await expect.poll(() => page.evaluate("document.documentElement.scrollHeight - innerHeight")).toBe(0);
      await expect.poll(() => page.getByText("1 invisible character.").count()).toBe(id === "m-901" ? 1 : 0);
      await page.close();
    }
  }
});

test("another site cannot frame the desk, and a malformed address shows no broken page", async () => {
  const page = await openPage(server.url, "#/mail/%E0%A4%A");
  await page.getByRole("alert").waitFor();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  await page.reload();
  await page.getByRole("link", { name: "Runs" }).click();
  await page.getByRole("heading", { name: "Runs" }).waitFor();
  expect(page.url()).toContain("/studio/");
  expect(complaints.filter((text) => /content security policy|script-src/iu.test(text))).toEqual([]);

  const other = await browser.newPage();
  await other.setContent(`<iframe src="${server.url}/"></iframe>`);
  await other.waitForFunction("window.frames.length === 1");
  await expect.poll(() => other.frames()[1]?.url()).toMatch(/^chrome-error:/);
  await other.close();
  await page.close();
});

test("keyboard focus is kept when the pressed control disappears", async () => {
  await using folder = new DeskFolder();
  const server = await folder.start();
  const page = await openPage(server.url, "#/mail/m-012");
  const focused = () => page.evaluate("document.activeElement?.id");
  await page.getByRole("button", { name: "Handle this mail" }).focus();
  await page.keyboard.press("Enter");
  const question = page.getByRole("region", { name: /Can it still be stopped/ });
  await question.waitFor();
  await expect.poll(focused).toBe("main");
  await question.getByRole("radio", { name: "yes" }).check();
  await question.getByRole("button", { name: "Answer" }).focus();
  await page.keyboard.press("Enter");
  await question.waitFor({ state: "detached" });
  await expect.poll(focused).toBe("main");

  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByRole("link", { name: /All mails/ }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(focused).toBe("mails");
  await page.close();
});

test("the run page shows what the run read and trusted, who decided, whether its journal is valid, and a fork [feature:X088]", async () => {
  await using folder = new DeskFolder();
  const server = await folder.start();
  const page = await openPage(server.url);
  await page.getByRole("link", { name: /Éloïse Tarnier/ }).click();
  await page.getByRole("button", { name: "Handle this mail" }).click();
  const approval = page.getByRole("region", { name: /Approve/ });
  await approve(approval);
  await page.getByText("Refunded 249.00 EUR on FH-10191").waitFor();

  await page.getByRole("link", { name: "What happened in this run" }).click();
  await page.getByText("Done", { exact: true }).waitFor();
  const mail = page.locator(".bar-row", { hasText: "read_mail" });
  await expect.poll(() => mail.getByText("untrusted").count()).toBe(1);
  await expect.poll(() => page.getByRole("list", { name: "Decisions" }).getByText("issue_refund").count()).toBe(1);
  await page.getByRole("button", { name: "Verify journal" }).click();
  await page.getByRole("button", { name: /In order: \d+ records, unsigned/ }).waitFor();
  await page.getByRole("link", { name: "Authority" }).click();
  await page.locator(".flow-node", { hasText: "issue_refund" }).first().waitFor();
  expect(refundsOf(folder, "FH-10191")).toHaveLength(1);

  await page.getByRole("link", { name: "Records" }).click();
  await page.locator(".records summary", { hasText: "model.result" }).last().click();
  const before = page.url();
  await page.locator(".records details[open]").getByRole("button", { name: "Fork here" }).click();
  await page.waitForURL((url) => url.href !== before && url.hash.startsWith("#/runs/"));
  await page.getByText("Done", { exact: true }).waitFor();
  expect(refundsOf(folder, "FH-10191")).toHaveLength(1);
  await page.close();
});

test("the first page explains the desk in three scenes, and each opens its mail", async () => {
  const page = await openPage(server.url);
  const scenes = page.getByRole("region", { name: "Scenes" }).getByRole("article");
  await expect.poll(() => scenes.count()).toBe(3);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => scenes.first().getByRole("link", { name: "Open mail m-003" }).isVisible()).toBe(true);
  await expect.poll(async () => (await scenes.first().boundingBox())?.y).toBeLessThan(844);
  await scenes.nth(1).getByRole("link", { name: "Open mail m-032" }).click();
  await page.getByRole("article", { name: "Mail" }).waitFor();
  await page.close();
});
