import { Agent } from "@bailiwick/agent";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findDefects } from "./find-defects.fixture.ts";
import { launchBrowser } from "./launch-browser.fixture.ts";
import { openStudio, tabTo } from "./open-studio.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

function echo(store: ReturnType<typeof sqliteStore>): Agent {
  const model = scriptedModel(({ lastUserText }) => `You wrote: ${lastUserText}`);
  return new Agent({ name: "echo", instructions: "Repeat the message.", model, store, logger: quiet });
}

test("a link sets the search, and no letter is lost that the viewer types while the address changes", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agent = echo(store);
  await agent.run("Red rucksack.");
  await agent.run("Blue tent.");
  await using opened = await openStudio(browser, { store, agents: [agent] });
  const { page } = opened;
  // The viewer continues typing between the change of the address and the next render.
  await page.addInitScript(() => {
    const replace = history.replaceState.bind(history);
    history.replaceState = (...change) => {
      replace(...change);
      const field = document.activeElement;
      if (!(field instanceof HTMLInputElement) || field.value !== "red") return;
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, "red rucksack");
      field.dispatchEvent(new Event("input", { bubbles: true }));
    };
  });
  await page.reload();
  await page.locator(".run-row").nth(1).waitFor();
  const field = page.getByRole("searchbox");
  await page.evaluate(() => (location.hash = "#/?text=tent"));
  await expect.poll(() => field.inputValue()).toBe("tent");
  await expect.poll(() => page.locator(".run-row").count()).toBe(1);
  await page.keyboard.press("/");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("red");
  await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/text=red(\+|%20)rucksack/u);
  await expect.poll(() => field.inputValue()).toBe("red rucksack");
  await page.locator(".run-row", { hasText: "Red rucksack." }).waitFor();
  await expect.poll(() => page.locator(".run-row").count()).toBe(1);
});

test("two runs are compared with the keyboard alone", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agent = echo(store);
  const { runId: first } = await agent.run("Red rucksack.");
  const { runId: second } = await agent.run("Blue tent.");
  await using opened = await openStudio(browser, { store, agents: [agent] });
  const { page } = opened;
  await page.goto(`${opened.url}#/runs/${first}`);
  await page.locator(".bar-row").first().waitFor();
  await tabTo(page, "Compare");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Compare runs" }).waitFor();
  const other = page.getByRole("combobox", { name: "With" });
  await other.locator("option", { hasText: "Blue tent." }).waitFor({ state: "attached" });
  await tabTo(page, /^With/u);
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => other.inputValue()).toBe(second);
  const answer = page.getByRole("region", { name: "Answer", exact: true }).locator(".diff-line");
  await expect
    .poll(async () => (await answer.allInnerTexts()).map((text) => text.replaceAll(/\s+/gu, " ")))
    .toEqual(["− removed: You wrote: Red rucksack.", "+ added: You wrote: Blue tent."]);
  await tabTo(page, "Blue tent.");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => location.hash)).toContain(`/runs/${second}`);
});

test("the playground is driven with the keyboard alone: edit a message, add a fork, give it a prompt, run both, remove one", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agent = echo(store);
  const { runId } = await agent.run("Red rucksack.");
  await using opened = await openStudio(browser, { store, agents: [agent] });
  const { page } = opened;
  await page.goto(`${opened.url}#/playground?run=${runId}`);
  const messages = page.locator(".editor .message");
  await messages.first().waitFor();
  // After the recorded answer, the page adds an empty message to write in.
  await expect.poll(() => messages.count()).toBe(3);
  for (const last of [3, 2]) {
    await tabTo(page, `Remove message ${last}`);
    await page.keyboard.press("Enter");
    await expect.poll(() => messages.count()).toBe(last - 1);
  }
  await tabTo(page, "Text of message 1, user");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Green canoe.");
  await tabTo(page, "Add a fork");
  await page.keyboard.press("Enter");
  const [one, two] = [page.getByRole("region", { name: "Fork 1" }), page.getByRole("region", { name: "Fork 2" })];
  await two.waitFor();
  const prompts = page.getByLabel("System prompt");
  for (const prompt of [prompts.first(), prompts.last()]) {
    await tabTo(page, /^System prompt/u);
    await expect.poll(() => prompt.evaluate((field) => field === document.activeElement)).toBe(true);
  }
  await page.keyboard.type("Repeat it loudly.");
  await page.keyboard.press("ControlOrMeta+Enter");
  await one.getByText("You wrote: Green canoe.").waitFor();
  await two.getByText("You wrote: Green canoe.").waitFor();
  await tabTo(page, "Remove fork 2");
  await page.keyboard.press("Enter");
  await two.waitFor({ state: "detached" });
  await expect.poll(() => prompts.count()).toBe(1);
});

test("the playground shows the agent's prompt, which is edited in place; a mounted studio links back to its host", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agent = echo(store);
  await using opened = await openStudio(browser, {
    store,
    agents: [agent],
    home: { url: "/?host", title: "A shop with a very long name" },
  });
  const { page } = opened;
  await page.goto(`${opened.url}#/playground`);
  const prompt = page.getByLabel(/^System prompt the agent’s own/u);
  await expect.poll(() => prompt.inputValue()).toBe("Repeat the message.");
  const posted = page.waitForRequest((request) => request.url().endsWith("/play"));
  await page.getByPlaceholder("Write to the agent").fill("Red canoe.");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  // The agent's own prompt does not count as an edit.
  expect((await posted).postDataJSON()).not.toHaveProperty("instructions");
  await page.getByText("You wrote: Red canoe.").waitFor();
  const edited = page.waitForRequest((request) => request.url().endsWith("/play"));
  await page.getByLabel("System prompt").fill("Repeat it twice.");
  await page.getByLabel(/^System prompt edited/u).waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  expect((await edited).postDataJSON()).toHaveProperty("instructions", "Repeat it twice.");
  for (const width of [360, 768, 1440, 3840]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => page.evaluate(findDefects), { message: `${width} px` }).toEqual([]);
  }
  const back = page.getByRole("link", { name: "A shop with a very long name" });
  await expect.poll(() => back.getAttribute("href")).toBe("/?host");
  await back.click();
  await expect.poll(() => page.url()).toContain("?host");
  expect(opened.foreign).toEqual([]);
});
