import { Agent, tool } from "@bailiwick/agent";
import { sqliteStore, type SqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import { listSchedules, schedule } from "@bailiwick/worker";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "./launch-browser.fixture.ts";
import { z } from "zod";
import { focusedName, openStudio, tabTo } from "./open-studio.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const prices = { "scripted/scripted-1": { input: 1_000, output: 2_000 } } as const;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const booked: unknown[] = [];
const book = tool({
  name: "book_table",
  description: "Books a table.",
  inputSchema: z
    .object({
      table: z.enum(["blue", "green"]),
      seats: z.int().min(2).max(12).multipleOf(2),
      note: z.string(),
      deposit: z.boolean().optional(),
    })
    .refine(({ table, seats }) => table !== "green" || seats <= 6, "The green table has 6 seats."),
  sideEffectClass: "external-stateful",
  idempotencyKey: "call",
  needsApproval: true,
  execute: (args) => {
    booked.push(args);
    return "Booked.";
  },
});

const weather = tool({
  name: "read_weather",
  description: "Reads the weather.",
  inputSchema: z.object({}),
  sideEffectClass: "read-only",
  output: { integrity: "verified" },
  execute: () => ({ sky: "clear" }),
});

function planner(store: SqliteStore): Agent {
  return new Agent({
    name: "planner",
    instructions: "Plan the day.",
    model: scriptedModel(({ lastUserText, toolResults }) => {
      if (toolResults.length > 0)
        return lastUserText.includes("Weather") ? "The sky is clear." : "The table is booked.";
      return lastUserText.includes("Weather")
        ? { toolCalls: [{ name: "read_weather", arguments: {} }] }
        : { toolCalls: [{ name: "book_table", arguments: { table: "blue", seats: 4, note: "Bring the plans." } }] };
    }),
    tools: [book, weather],
    flow: "off",
    prices,
    store,
    logger: quiet,
  });
}

test("an edit that the schema does not accept is refused by the form, or by the server, and the question stays open", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agent = planner(store);
  const { runId } = await agent.run("Book a table.");
  await using opened = await openStudio(browser, { store, agents: [agent] });
  const { page } = opened;
  await page.goto(`${opened.url}#/inbox`);
  await page.getByRole("button", { name: "Edit and approve" }).click();
  const seats = page.getByRole("spinbutton", { name: "seats from 2 to 12 in steps of 2" });
  const table = page.getByRole("combobox", { name: "table" });
  const approve = page.getByRole("button", { name: "Approve with these values" });
  await seats.waitFor();
  await expect.poll(() => table.locator("option").allInnerTexts()).toEqual(["blue", "green"]);
  let posted = 0;
  page.on("request", (request) => (posted += request.method() === "POST" ? 1 : 0));
  for (const [value, fault] of [
    ["1", "rangeUnderflow"],
    ["14", "rangeOverflow"],
    ["5", "stepMismatch"],
    ["", "valueMissing"],
  ] as const) {
    await seats.fill(value);
    await approve.click();
    await expect
      .poll(() => seats.evaluate((field: HTMLInputElement, name) => field.validity[name], fault), { message: fault })
      .toBe(true);
  }
  expect(posted).toBe(0);
  // No JSON schema has this rule: the server refuses it.
  await seats.fill("8");
  await table.selectOption("green");
  await approve.click();
  await page.getByRole("alert").getByText("The green table has 6 seats.").waitFor();
  expect((await store.getRun(runId))?.state).toBe("suspended");
  expect(booked).toEqual([]);
  // The fields keep the typed text.
  await expect.poll(() => seats.inputValue()).toBe("8");
  await table.selectOption("blue");
  await approve.click();
  await expect.poll(async () => (await store.getRun(runId))?.state).toBe("completed");
  expect(booked).toEqual([{ table: "blue", seats: 8, note: "Bring the plans." }]);
  await page.goto(`${opened.url}#/runs/${runId}`);
  await expect.poll(() => page.locator(".change").allInnerTexts()).toEqual(["seats 4 8"]);
  expect(opened.foreign).toEqual([]);
});

test("a question is assigned with the keyboard, and the inbox shows the questions of one person", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agent = planner(store);
  await agent.run("Book a table.");
  await agent.run("Book another table.");
  await using opened = await openStudio(browser, { store, agents: [agent] });
  const { page } = opened;
  await page.goto(`${opened.url}#/inbox`);
  await page.locator(".question").nth(1).waitFor();
  await tabTo(page, "Assign…");
  await page.keyboard.press("Enter");
  await page.keyboard.type("olga");
  await page.keyboard.press("Enter");
  await page.getByText("Assigned to olga").waitFor();
  await page.reload();
  await page.getByText("Assigned to olga").waitFor();
  await expect.poll(() => page.getByText("Not assigned", { exact: true }).and(page.locator("span")).count()).toBe(1);
  await page.getByRole("combobox", { name: "Assigned to" }).selectOption("olga");
  await expect.poll(() => page.locator(".question").count()).toBe(1);
  // The link of a question opens the inbox at that question.
  const id = await page.locator(".question").getAttribute("data-question");
  await page.goto(`${opened.url}i/${encodeURIComponent(id ?? "")}`);
  await expect.poll(() => page.locator(".question.current").getAttribute("data-question")).toBe(id);
  expect(opened.foreign).toEqual([]);
});

test("a schedule is paused and resumed, and a failed run is retried and discarded, with the keyboard", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const failing = new Agent({ name: "failing", model: scriptedModel([]), store, logger: quiet });
  const { runId } = await failing.run("It fails.").then(
    () => ({ runId: "" }),
    (error: unknown) => error as { readonly runId: string },
  );
  await schedule({ id: "digest", agent: failing, cron: "0 7 * * *", input: "Write the digest." });
  const paused = async () => (await listSchedules(store))[0]?.paused;
  await using opened = await openStudio(browser, { store, agents: [failing] });
  const { page } = opened;
  await page.goto(`${opened.url}#/queue`);
  await page.getByText("Next run").waitFor();
  await tabTo(page, "Pause digest");
  await page.keyboard.press("Enter");
  await page.getByText("Paused", { exact: true }).waitFor();
  await expect.poll(paused).toBe(true);
  // The button keeps the focus while it works.
  await expect.poll(() => focusedName(page)).toBe("Resume digest");
  await page.keyboard.press("Enter");
  await page.getByText("Paused", { exact: true }).waitFor({ state: "detached" });
  await expect.poll(paused).toBe(false);

  // The row says why the run failed.
  await page.locator(".queue-failure", { hasText: "SCRIPT_EXHAUSTED" }).waitFor();
  await tabTo(page, "Retry It fails.");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await store.getRun(runId))?.state).toBe("queued");
  await page.getByRole("heading", { name: "Due 1" }).waitFor();
  const again = await failing.run("It fails again.").then(
    () => "",
    (error: unknown) => (error as { readonly runId: string }).runId,
  );
  page.once("dialog", (dialog) => void dialog.dismiss());
  const discard = page.getByRole("button", { name: "Discard It fails again." });
  await discard.click();
  expect(await store.getRun(again)).toBeDefined();
  page.once("dialog", (dialog) => void dialog.accept());
  await discard.focus();
  await page.keyboard.press("Enter");
  await expect.poll(async () => store.getRun(again)).toBeUndefined();
  expect(opened.foreign).toEqual([]);
});

test("a memory is edited and deleted with the keyboard; its label stays, and its history shows the earlier text", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const scope = { tenantId: undefined, userId: "ada" };
  await store.memories.put({
    id: "m1",
    kind: "semantic",
    text: "Ada lives in Ulm.",
    scope,
    label: { integrity: "untrusted", readers: ["user:ada"] },
    validFrom: 1,
    recordedAt: 1,
    source: { runId: "r1", seq: 3 },
  });
  await using opened = await openStudio(browser, { store });
  const { page } = opened;
  await page.goto(`${opened.url}#/memory`);
  await page.getByText("No memories without a user").waitFor();
  await page.getByLabel("User", { exact: true }).fill("ada");
  await page.getByText("Ada lives in Ulm.").waitFor();
  await page.getByLabel("Words", { exact: true }).fill("Berlin");
  await page.getByText("No memory has these words").waitFor();
  await page.getByLabel("Words", { exact: true }).fill("Ulm");
  await page.getByText("Ada lives in Ulm.").waitFor();
  await page.getByLabel("Words", { exact: true }).fill("");
  await tabTo(page, "Edit");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Ada lives in Bonn.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const card = page.locator("li.card");
  // The form has the typed text too.
  await card.locator("textarea").waitFor({ state: "detached" });
  await expect.poll(() => card.locator("p").first().innerText()).toBe("Ada lives in Bonn.");
  await card.getByText("untrusted", { exact: true }).waitFor();
  await card.getByText("Only for ada.").waitFor();
  await card.getByRole("button", { name: "History" }).click();
  await card.locator("del").first().waitFor();
  await expect.poll(() => card.locator("del").allInnerTexts()).toEqual(["Ada lives in Ulm."]);
  page.once("dialog", (dialog) => void dialog.accept());
  await card.getByRole("button", { name: "Delete" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("No memories of ada").waitFor();
  expect(await store.memories.query({ scope, limit: 10, budgetTokens: 1_000 })).toEqual([]);
  expect(opened.foreign).toEqual([]);
});

test("two model calls, and two runs, are compared: added, changed and removed parts", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agent = planner(store);
  const { runId: first } = await agent.run("Weather, please.");
  const { runId: second } = await agent.run("Book a table.");
  await using opened = await openStudio(browser, { store, agents: [agent] });
  const { page } = opened;
  await page.goto(`${opened.url}#/runs/${first}`);
  await page.locator(".bar-row.model").nth(1).click();
  const panel = page.locator(".panel");
  await panel.getByText("This is the request that was sent").waitFor();
  await expect
    .poll(() => panel.getByRole("group", { name: "Text of the system prompt" }).innerText())
    .toBe("Plan the day.");
  await expect
    .poll(() => panel.locator(".message .role").allInnerTexts())
    .toEqual(["User", "Assistant", "Result of read_weather"]);
  await panel.getByRole("button", { name: "Compare", exact: true }).click();
  await panel.getByText("1 message as before, 2 added, 0 gone.").waitFor();
  await expect.poll(() => panel.locator(".message.added").count()).toBe(2);

  await page.goto(`${opened.url}#/compare?a=${first}&b=${second}`);
  const lines = (label: string) => page.getByRole("region", { name: label, exact: true }).locator(".diff-line");
  await lines("Input").first().waitFor();
  await expect
    .poll(async () => (await lines("Input").allInnerTexts()).map((text) => text.replaceAll(/\s+/gu, " ")))
    .toEqual(["− removed: Weather, please.", "+ added: Book a table."]);
  await expect.poll(() => lines("Input").first().getAttribute("class")).toContain("gone");
  await expect.poll(() => lines("Input").last().getAttribute("class")).toContain("added");
  await expect.poll(async () => (await lines("Calls").allInnerTexts()).join("\n")).toContain("tool book_table");
  expect(opened.foreign).toEqual([]);
});

test("forks of two prompts and two models run side by side, each with its answer, cost and calls", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agent = planner(store);
  const { runId } = await agent.run("Weather, please.");
  const other = scriptedModel(["It may rain."], { modelId: "scripted-2" });
  await using opened = await openStudio(browser, { store, agents: [agent], models: [other] });
  const { page } = opened;
  await page.goto(`${opened.url}#/playground?run=${runId}`);
  await page.locator(".editor .message").nth(3).waitFor();
  // The answer is removed, so that each fork gives its own.
  await page.getByRole("button", { name: "Remove message 5" }).click();
  await page.getByRole("button", { name: "Remove message 4" }).click();
  await page.getByRole("button", { name: "Remove message 3" }).click();
  await page.getByRole("button", { name: "Remove message 2" }).click();
  await page.getByRole("button", { name: "Add a fork" }).click();
  const [one, two] = [page.getByRole("region", { name: "Fork 1" }), page.getByRole("region", { name: "Fork 2" })];
  await two.getByLabel("Model").selectOption("scripted/scripted-2");
  await two.getByLabel("System prompt").fill("Guess.");
  await page.keyboard.press("ControlOrMeta+Enter");
  await one.getByText("The sky is clear.").waitFor();
  await two.getByText("It may rain.").waitFor();
  await expect.poll(() => one.getByRole("list", { name: "Tool calls" }).innerText()).toContain("read_weather");
  await expect.poll(() => two.getByRole("list", { name: "Tool calls" }).count()).toBe(0);
  const numbers = async (fork: typeof one) => (await fork.locator(".facts").innerText()).replaceAll(/\s+/gu, " ");
  // The numbers arrive with the stored run, a moment after the text.
  await expect.poll(() => numbers(one)).toMatch(/Cost \$\d.* Model calls 2 Tool calls 1 /u);
  await expect.poll(() => numbers(two)).toMatch(/Cost unknown.* Model calls 1 Tool calls 0 /u);
  expect(other.requests[0]?.messages[0]?.content).toBe("Guess.");
  expect(opened.foreign).toEqual([]);
});

test("the approver adds an optional argument and edits a number with the keyboard alone", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agent = planner(store);
  const { runId } = await agent.run("Book a table.");
  await using opened = await openStudio(browser, { store, agents: [agent] });
  const { page } = opened;
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("name"));
  await page.goto(`${opened.url}#/inbox`);
  await page.locator(".question").waitFor();
  await tabTo(page, "Edit and approve");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Add deposit" }).waitFor();
  await tabTo(page, /^seats/u);
  await page.keyboard.press("ArrowUp");
  await tabTo(page, "Add deposit");
  await page.keyboard.press("Enter");
  await expect.poll(focused).toBe("deposit");
  await page.keyboard.press("Space");
  await tabTo(page, "Approve with these values");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await store.getRun(runId))?.state).toBe("completed");
  expect(booked.at(-1)).toEqual({ table: "blue", seats: 6, note: "Bring the plans.", deposit: true });
});

test("the memory page shows the memories of one agent", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  await store.memories.put({
    id: "m1",
    kind: "semantic",
    text: "Ada lives in Ulm.",
    scope: { tenantId: undefined, userId: "ada", agentId: "planner" },
    label: { integrity: "untrusted", readers: ["user:ada"] },
    validFrom: 1,
    recordedAt: 1,
    source: { runId: "r1", seq: 3 },
  });
  await using opened = await openStudio(browser, { store });
  const { page } = opened;
  await page.goto(`${opened.url}#/memory`);
  await page.getByLabel("User", { exact: true }).fill("ada");
  await page.getByLabel("Agent", { exact: true }).fill("planner");
  await page.getByText("Ada lives in Ulm.").waitFor();
  await page.getByLabel("Agent", { exact: true }).fill("another");
  await page.getByText("No memories of ada").waitFor();
});

test("a fork is made with an edited message of the user, with the keyboard; the run that it came from is unchanged [studio.fork-edits]", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agent = planner(store);
  const { runId } = await agent.run("Weather in Bern, please.");
  await using opened = await openStudio(browser, { store, agents: [agent] });
  const { page } = opened;
  await page.goto(`${opened.url}#/runs/${runId}?tab=records`);
  await page.locator("#record-1 summary").click();
  await tabTo(page, "Edit messages");
  await page.keyboard.press("Enter");
  const field = page.locator("#record-1").getByLabel("Text of the user’s message 1");
  await expect.poll(() => field.inputValue()).toBe("Weather in Bern, please.");
  await field.fill("Weather in Rome, please.");
  await page.locator("#record-1").getByRole("button", { name: "Fork here" }).press("Enter");
  await expect.poll(() => page.url()).not.toContain(runId);
  const forked = page
    .url()
    .replace(/.*runs\//u, "")
    .replace(/\?.*/u, "");
  await expect.poll(async () => (await store.getRun(forked))?.state).toBe("completed");
  const inputOf = async (id: string) => (await agent.inspect(id)).events.find(({ type }) => type === "run.start");
  expect(await inputOf(forked)).toMatchObject({ input: [{ content: "Weather in Rome, please." }] });
  expect(await inputOf(runId)).toMatchObject({ input: [{ content: "Weather in Bern, please." }] });
  expect(opened.foreign).toEqual([]);
});

test("a run inside a call has no button to fork it, and says that its outer run can be forked", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const inner = planner(store);
  const outer = new Agent({
    name: "host",
    model: scriptedModel([
      { toolCalls: [{ name: "planner", arguments: { input: "Weather in Bern, please." } }] },
      "The sky is clear.",
    ]),
    tools: [inner.asTool()],
    store,
    logger: quiet,
  });
  await outer.run("Ask the planner.");
  const [inside] = await store.listRuns({ agentId: "planner" });
  await using opened = await openStudio(browser, { store, agents: [inner, outer] });
  const { page } = opened;
  await page.goto(`${opened.url}#/runs/${inside?.id}?tab=records`);
  await page.getByText("only the outer run can be forked").waitFor();
  await page.locator("#record-1 summary").click();
  await page.locator("#record-1").getByLabel("Record 1").first().waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Fork here" }).count()).toBe(0);
  await page.getByRole("link", { name: "Outer run" }).click();
  await page.getByRole("heading", { name: "Ask the planner." }).waitFor();
  await page.getByRole("link", { name: "Records" }).click();
  await page.locator("#record-1 summary").click();
  await page.getByRole("button", { name: "Fork here" }).waitFor();
});
