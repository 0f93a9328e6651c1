import { Agent, tool } from "@bailiwick/agent";
import { sqliteStore, type SqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { shopAgent } from "../src/http/shop.fixture.ts";
import { launchBrowser } from "./launch-browser.fixture.ts";
import { focusedName, openStudio, tabTo } from "./open-studio.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const hash = (page: Page): Promise<string> => page.evaluate(() => location.hash);

function clerk(store: SqliteStore, booked: unknown[]): Agent {
  const book = tool({
    name: "book_table",
    description: "Books a table.",
    inputSchema: z.object({ table: z.string(), seats: z.int().min(2).max(12) }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    needsApproval: true,
    execute: (args) => {
      booked.push(args);
      return "Booked.";
    },
  });
  const ask = tool({
    name: "ask_guest",
    description: "Asks the guest.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: (_args, ctx) => ctx.ask({ question: "Inside or outside?", schema: z.string() }),
  });
  return new Agent({
    name: "clerk",
    model: scriptedModel(({ lastUserText, toolResults }) => {
      if (toolResults.length > 0) return "Thank you.";
      return lastUserText.includes("Where")
        ? { toolCalls: [{ name: "ask_guest", arguments: {} }] }
        : { toolCalls: [{ name: "book_table", arguments: { table: lastUserText, seats: 4 } }] };
    }),
    tools: [book, ask],
    flow: "off",
    store,
    logger: quiet,
  });
}

test("the inbox is emptied with the keyboard alone: edit, reject, answer; the next question gets the focus", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const booked: unknown[] = [];
  const agent = clerk(store, booked);
  const [edited, rejected, asked] = [
    (await agent.run("blue")).runId,
    (await agent.run("green")).runId,
    (await agent.run("Where do they sit?")).runId,
  ];
  const stateOf = async (runId: string) => (await store.getRun(runId))?.state;
  await using opened = await openStudio(browser, { store, agents: [agent] });
  const { page } = opened;
  await page.locator(".run-row").nth(2).waitFor();
  await page.keyboard.press("2");
  await page.locator(".question").nth(2).waitFor();

  // The first key only shows which question it decides.
  const titles = await page.locator(".question").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  await page.keyboard.press("a");
  await expect.poll(() => focusedName(page)).toBe(titles[0]);
  expect(await stateOf(edited)).toBe("suspended");

  await tabTo(page, "Edit and approve");
  await page.keyboard.press("Enter");
  await expect.poll(() => focusedName(page)).toBe("table");
  await page.keyboard.press("Escape");
  await expect.poll(() => focusedName(page)).toBe("Edit and approve");
  await page.keyboard.press("Enter");
  await expect.poll(() => focusedName(page)).toBe("table");
  await tabTo(page, /^seats/u);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect.poll(() => stateOf(edited)).toBe("completed");
  expect(booked).toEqual([{ table: "blue", seats: 5 }]);

  await expect.poll(() => focusedName(page)).toBe(titles[1]);
  await page.keyboard.press("r");
  await expect.poll(() => focusedName(page)).toMatch(/^Reason/u);
  await page.keyboard.press("Escape");
  await expect.poll(() => focusedName(page)).toBe("Reject");
  await page.keyboard.press("Enter");
  await expect.poll(() => focusedName(page)).toMatch(/^Reason/u);
  await page.keyboard.type("The table is taken.");
  await page.keyboard.press("Enter");
  await expect.poll(() => stateOf(rejected)).toBe("completed");

  await expect.poll(() => focusedName(page)).toBe(titles[2]);
  await tabTo(page, "Your answer");
  await page.keyboard.type("Outside.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => stateOf(asked)).toBe("completed");
  await page.locator(".empty").waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
  expect(booked).toHaveLength(1);
});

test("a run is searched, opened, approved in two steps, inspected and forked with the keyboard alone", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const sent: unknown[] = [];
  const agent = shopAgent(store, sent);
  const { runId } = await agent.run("Handle my newest mail.", { userId: "ada" });
  await using opened = await openStudio(browser, { store, agents: [agent] });
  const { page } = opened;
  await page.locator(".run-row").first().waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("newest");
  await expect.poll(() => hash(page)).toContain("text=newest");
  await page.keyboard.press("Escape");
  await tabTo(page, /^User/u);
  await page.keyboard.type("ada");
  await page.keyboard.press("Enter");
  await expect.poll(() => hash(page)).toContain("user=ada");
  await tabTo(page, /^Waiting/u);
  await page.keyboard.press("Space");
  await expect.poll(() => hash(page)).toContain("state=suspended");
  await page.keyboard.press("j");
  await expect.poll(() => focusedName(page)).toContain("Handle my newest mail.");
  await page.keyboard.press("Enter");
  await page.locator(".question").waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");

  // On the page of a run the keys decide its question. A suspicious call takes the second step.
  await page.keyboard.press("a");
  await expect.poll(() => page.locator(".question:focus").count()).toBe(1);
  await page.keyboard.press("a");
  const dialog = page.getByRole("dialog", { name: "Approve a suspicious call?" });
  await dialog.waitFor();
  await tabTo(page, /^I checked/u);
  await page.keyboard.press("Space");
  await tabTo(page, "Approve anyway");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await store.getRun(runId))?.state).toBe("completed");
  expect(sent).toEqual([{ to: "eve@evil.example", amount: 249 }]);
  await page.locator(".question").waitFor({ state: "detached" });
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");

  // Enter opens a bar and moves to its details; Escape goes back to the bar.
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect.poll(() => focusedName(page)).toContain("read_mail");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator(".panel h2:focus").innerText()).toBe("read_mail");
  await page.keyboard.press("Escape");
  await page.locator(".panel").waitFor({ state: "detached" });
  await expect.poll(() => focusedName(page)).toContain("read_mail");

  await tabTo(page, "Authority");
  await page.keyboard.press("Enter");
  await page.locator(".flow-node").first().waitFor();
  await tabTo(page, /^pay/u);
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: /^Details of pay/u }).waitFor();

  await tabTo(page, "Records");
  await page.keyboard.press("Enter");
  await page.locator(".records summary").first().waitFor();
  await tabTo(page, /^1 /u);
  await page.keyboard.press("Enter");
  await tabTo(page, /^Message of the fork after record 1/u);
  await page.keyboard.type("Only read it.");
  await page.keyboard.press("Enter");
  await expect.poll(() => hash(page)).toMatch(/^#\/runs\//u);
  await expect.poll(() => hash(page)).not.toContain(runId);
  await expect.poll(async () => (await store.searchRuns({ agentId: "shop" })).runs.length).toBe(2);
});

test("a tool is opened, the colours are changed and the list of keys is closed with the keyboard alone", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agent = clerk(store, []);
  await using opened = await openStudio(browser, { store, agents: [agent] });
  const { page } = opened;
  await page.locator(".empty").waitFor();
  await page.keyboard.press("4");
  await page.locator(".tool").first().waitFor();
  await tabTo(page, /^book_table/u);
  await page.keyboard.press("Enter");
  await page.locator(".tool-body").getByText("each call", { exact: true }).waitFor();
  await page.keyboard.press("Space");
  await page.locator(".tool-body").waitFor({ state: "detached" });

  await tabTo(page, /^Colour scheme/u);
  await page.keyboard.type("D");
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("dark");

  await tabTo(page, /^Keys/u);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await tabTo(page, "Close");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => focusedName(page)).toMatch(/^Keys/u);
});
