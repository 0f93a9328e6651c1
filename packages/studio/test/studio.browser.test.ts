import { gzipSync } from "node:zlib";
import { readFileSync, readdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { serve, type ServerType } from "@hono/node-server";
import type { Agent } from "@bailiwick/agent";
import { sqliteStore, type SqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import { studio, type Studio } from "@bailiwick/studio";
import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "./launch-browser.fixture.ts";
import { buildStudioPage } from "./build-page.fixture.ts";
import { coveredWidths } from "./covered-widths.fixture.ts";
import { findDefects } from "./find-defects.fixture.ts";
import { oldestRun, studioPages } from "./studio-pages.fixture.ts";
import { shopAgent } from "../src/http/shop.fixture.ts";
import { refundAgent, storeRuns } from "./stored-runs.fixture.ts";

const widths = [360, 768, 1440, 3840];

let browser: Browser;
let store: SqliteStore;
let agents: readonly Agent[];
let opened: Studio;
let server: ServerType;
let url: string;
const foreign: string[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  await buildStudioPage();
  store = sqliteStore({ path: ":memory:" });
  agents = await storeRuns(store);
  opened = studio({ store, agents, models: [scriptedModel(["From another model."], { modelId: "scripted-2" })] });
  server = serve({ fetch: (request, env) => opened.fetch(request, env), port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  server.close();
  await store.close();
});

async function enter(options: Parameters<Browser["newContext"]>[0] = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) foreign.push(request.url());
  });
  context.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(error.error().message));
  const page = await context.newPage();
  await page.goto(opened.link(url));
  expect(page.url()).not.toContain("token");
  await page.close();
  return context;
}

async function go(page: Page, path: string, ready: string): Promise<void> {
  await page.goto(`${url}${path}`);
  await page.locator(ready).first().waitFor();
}

const runOf = (agentId: string): Promise<string> => oldestRun(store, agentId);

async function violations(page: Page): Promise<readonly string[]> {
  const found = await page.evaluate(`${axe.source}; axe.run(document, { resultTypes: ["violations"] })`);
  return (found as { violations: { id: string; nodes: { html: string }[] }[] }).violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`,
  );
}

test("no page scrolls sideways, cuts off a button, breaks a word or violates an accessibility rule, at any width, in both colour schemes and from right to left", async () => {
  const pages = await studioPages(store);
  for (const colorScheme of ["light", "dark"] as const) {
    const context = await enter({ colorScheme });
    const page = await context.newPage();
    for (const [index, { path, ready, act }] of pages.entries()) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await go(page, path, ready);
      await act?.(page);
      for (const width of coveredWidths(widths, index, colorScheme)) {
        await page.setViewportSize({ width, height: 900 });
        await page.locator(ready).first().waitFor();
        await expect
          .poll(() => page.evaluate(findDefects), { message: `${path} at ${width} px, ${colorScheme}` })
          .toEqual([]);
      }
      await expect.poll(() => violations(page), { message: `${path}, ${colorScheme}` }).toEqual([]);
      if (colorScheme === "dark") continue;
      await page.evaluate(() => (document.documentElement.dir = "rtl"));
      await expect.poll(() => page.evaluate(findDefects), { message: `${path} from right to left` }).toEqual([]);
      await page.evaluate(() => (document.documentElement.dir = "ltr"));
    }
    await context.close();
  }
  expect(foreign).toEqual([]);
  // A missing run is requested on purpose.
  expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
});

test("a person works with the keyboard alone: search, open, approve, a suspicious call takes a second step, and an invalid edit leaves the question open [people.decisions.edited-invalid]", async () => {
  const context = await enter({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await go(page, "#/", ".run-row");
  await page.keyboard.press("/");
  await page.keyboard.type("rucksack");
  await expect.poll(() => page.locator(".run-row").count()).toBe(1);
  await expect.poll(() => page.evaluate(() => location.hash)).toContain("text=rucksack");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.locator(".question").waitFor();
  await expect.poll(() => page.title()).toMatch(/^Please refund my order FH-10191.* · Bailiwick studio$/u);
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await page.keyboard.press("2");
  await page.locator(".question").nth(2).waitFor();
  // The suspicious one comes first, and its approval opens a dialog in which nothing is approved yet.
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  const dialog = page.getByRole("dialog", { name: "Approve a suspicious call?" });
  await dialog.waitFor();
  const anyway = dialog.getByRole("button", { name: "Approve anyway" });
  await expect.poll(() => anyway.isDisabled()).toBe(true);
  await expect.poll(() => violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect((await store.getRun(await runOf("shop")))?.state).toBe("suspended");
  await page.locator(".question.suspicious").focus();
  await page.keyboard.press("r");
  await page.keyboard.type("The shop never pays by mail.");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await store.getRun(await runOf("shop")))?.state).toBe("completed");

  // Approve is only the primary button of a usual call.
  const usual = page.locator(".question.normal", { has: page.locator("[data-action=approve]") });
  await expect.poll(() => usual.locator(".primary").innerText()).toBe("Approve");
  await usual.getByRole("button", { name: "Edit and approve" }).click();
  // The form knows the limits of the tool's schema: it sends nothing that the server would refuse.
  const amount = page.getByRole("spinbutton", { name: "amount from 1 to 500" });
  await amount.fill("900");
  await page.getByRole("button", { name: "Approve with these values" }).click();
  await expect.poll(() => amount.evaluate((field: HTMLInputElement) => field.validity.rangeOverflow)).toBe(true);
  expect((await store.getRun(await runOf("refunds")))?.state).toBe("suspended");
  // The server refuses an edit that the form accepted: the page shows the reason, and the question stays open.
  await amount.evaluate((field) => field.removeAttribute("max"));
  await page.getByRole("button", { name: "Approve with these values" }).click();
  const refusal = page.locator(".question.normal").getByRole("alert");
  await refusal.waitFor();
  await expect
    .poll(() => refusal.innerText())
    .toMatch(/edited arguments of "refund_order" cannot be used: .*amount.*stays open/su);
  await expect.poll(() => amount.inputValue()).toBe("900");
  expect((await store.getRun(await runOf("refunds")))?.state).toBe("suspended");
  await amount.fill("200");
  await page.getByRole("button", { name: "Approve with these values" }).click();
  await expect.poll(async () => (await store.getRun(await runOf("refunds")))?.state).toBe("completed");
  await go(page, `#/runs/${await runOf("refunds")}`, ".decisions");
  await expect.poll(() => page.locator(".change").innerText()).toBe("amount 249 200");
  await context.close();
});

test("a person edits a tool result, runs two forks side by side, and sees both answers, costs and calls", async () => {
  const context = await enter({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const runId = await runOf("parcels");
  const intent = (await store.load(runId)).findLast(({ type }) => type === "model.intent");
  await go(page, `#/playground?run=${runId}&seq=${intent?.seq}`, ".editor .message");
  await page.getByLabel(/Text of message 3/u).fill("It was found in Ulm.");
  await page.getByRole("button", { name: "Add a fork" }).click();
  await page.getByLabel("System prompt").nth(1).fill("Answer in one sentence.");
  await page.getByRole("button", { name: "Run 2 forks" }).click();
  const second = page.getByRole("region", { name: "Fork 2" });
  await second.getByText("From another model.").waitFor();
  // The script of the agent's model is used up: the other fork reports it.
  await page.getByRole("region", { name: "Fork 1" }).getByText("SCRIPT_EXHAUSTED").waitFor();
  await expect.poll(() => violations(page)).toEqual([]);
  await expect.poll(() => page.evaluate(findDefects)).toEqual([]);
  const download = page.waitForEvent("download");
  await second.getByRole("button", { name: "Save as a test" }).click();
  expect((await download).suggestedFilename()).toMatch(/^where-is-my-parcel.*\.test\.ts$/u);
  await context.close();
});

test("several questions are selected and approved with the keyboard, and a suspicious one is never among them", async () => {
  await using own = sqliteStore({ path: ":memory:" });
  const [refunds, shop] = [refundAgent(own), shopAgent(own)];
  const waiting: string[] = [];
  for (const orderId of ["FH-1", "FH-2", "FH-3"])
    waiting.push((await refunds.run(`Refund ${orderId}.`, { userId: "ada" })).runId);
  const suspicious = (await shop.run("Handle my newest mail.", { userId: "ada" })).runId;
  const served = studio({ store: own, agents: [refunds, shop] });
  const listening = serve({ fetch: (request, env) => served.fetch(request, env), port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => listening.once("listening", resolve));
  const base = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/`;
  const page = await browser.newPage({ viewport: { width: 768, height: 900 } });
  await page.goto(served.link(base));
  await page.goto(`${base}#/inbox`);
  await page.locator(".question").nth(3).waitFor();
  await expect.poll(() => page.locator(".question-select").count()).toBe(3);
  // The suspicious question comes first, and `x` does not select it.
  for (const _question of [1, 2, 3]) {
    await page.keyboard.press("j");
    await page.keyboard.press("x");
  }
  await page.getByText("2 questions selected").waitFor();
  await expect.poll(() => page.evaluate(findDefects)).toEqual([]);
  await expect.poll(() => violations(page)).toEqual([]);
  await page.keyboard.press("Shift+A");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Approve 2");
  await page.keyboard.press("Enter");
  const states = async () => Promise.all(waiting.map(async (runId) => (await own.getRun(runId))?.state));
  await expect.poll(async () => (await states()).filter((state) => state === "completed").length).toBe(2);
  expect((await states()).filter((state) => state === "suspended")).toHaveLength(1);
  expect((await own.getRun(suspicious))?.state).toBe("suspended");
  await page.close();
  listening.close();
});

test("the tools page shows the rules and the numbers of each tool", async () => {
  const context = await enter({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await go(page, "#/tools", ".tool");
  const carrier = page.locator("section", { has: page.getByRole("heading", { name: "carrier" }) });
  const failing = carrier.locator(".tool", { hasText: "look_up_parcel" });
  await expect
    .poll(() => failing.locator(".tool-numbers").innerText())
    .toMatch(/Calls\s+1\s+Errors\s+1\s+Rejected\s+0\s+p50\s+\d/u);
  const refunds = page.locator("section", { has: page.getByRole("heading", { name: "refunds" }) });
  const refund = refunds.locator(".tool", { hasText: "refund_order" });
  await refund.locator(".tool-head").click();
  for (const fact of ["external-stateful", "each call", "none, runs in the process", "SHOP_KEY"])
    await refund.locator(".facts").getByText(fact, { exact: true }).waitFor();
  await context.close();
});

test("each page has its own title and an icon", async () => {
  const context = await enter({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const titles = new Set<string>();
  for (const path of ["", "inbox", "playground", "tools", "queue", "memory", `compare?a=${await runOf("parcels")}`]) {
    await page.goto(`${url}#/${path}`);
    await expect.poll(async () => titles.has(await page.title())).toBe(false);
    await page.locator("main h1").waitFor();
    titles.add(await page.title());
  }
  expect([...titles]).toEqual(
    ["Runs", "Inbox", "Playground", "Tools", "Queue", "Memory", "Compare runs"].map(
      (name) => `${name} · Bailiwick studio`,
    ),
  );
  const width = await page.evaluate(async () => {
    const image = new Image();
    image.src = document.querySelector<HTMLLinkElement>("link[rel=icon]")?.href ?? "";
    await image.decode();
    return image.width;
  });
  expect(width).toBeGreaterThan(0);
  await context.close();
});

test("Markdown of a model embeds nothing, and a page without the token shows nothing", async () => {
  const context = await enter();
  const page = await context.newPage();
  await go(page, `#/runs/${await runOf("parcels")}`, ".markdown table");
  await expect.poll(() => page.locator(".markdown :is(img, script), a[href^=javascript]").count()).toBe(0);
  await context.close();
  const stranger = await browser.newPage();
  await stranger.goto(url);
  await stranger.getByText("The studio needs its token.").waitFor();
  await stranger.close();
  expect(foreign).toEqual([]);
});

test("the page loads less than 300 KB at first", () => {
  const folder = new URL("../dist/web/", import.meta.url);
  const html = readFileSync(new URL("index.html", folder), "utf8");
  const first = readdirSync(new URL("assets/", folder)).filter((name) => html.includes(name));
  expect(first.length).toBeGreaterThanOrEqual(2);
  const bytes = first.map((name) => gzipSync(readFileSync(new URL(`assets/${name}`, folder))).length);
  expect(bytes.reduce((sum, length) => sum + length, 0)).toBeLessThan(300_000);
});
