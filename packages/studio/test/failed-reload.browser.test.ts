import { Agent } from "@bailiwick/agent";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storeHostileRuns } from "./hostile-runs.fixture.ts";
import { launchBrowser } from "./launch-browser.fixture.ts";
import { openStudio } from "./open-studio.fixture.ts";
import { refundAgent } from "./stored-runs.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Makes every load of the page fail until the returned function is called. */
async function fail(page: Page): Promise<() => Promise<void>> {
  const body = JSON.stringify({ error: { code: "INTERNAL", message: "The studio failed." } });
  await page.route("**/api/**", (route) => route.fulfill({ status: 500, contentType: "application/json", body }));
  const notice = page.getByText("The studio’s server does not answer. You see what was loaded before");
  await notice.waitFor();
  return async () => {
    await page.unroute("**/api/**");
    await notice.waitFor({ state: "detached" });
  };
}

test("a server that fails for a while does not lose the viewer's work: unfolded runs, typed messages and edited arguments stay", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agents = [...(await storeHostileRuns(store)), refundAgent(store)];
  const { runId: asked } = await refundAgent(store).run("Refund FH-1.");
  await using opened = await openStudio(browser, { store, agents });
  const { page, url } = opened;
  const { runs } = await store.searchRuns({ limit: 50 });
  const nested = runs.find(({ run }) => String(run.input).startsWith("nested"))?.run.id;
  await page.goto(`${url}#/runs/${nested}`);
  await page.getByRole("button", { name: "Run inside ask_customs" }).click();
  const inner = page.locator(".bar-row.tool", { hasText: "query_warehouse" });
  await inner.waitFor();
  let recovered = await fail(page);
  // The inner runs are loaded again too, and fail.
  const failed = page.waitForResponse((response) => response.url().includes("/api/runs/"));
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  await failed;
  await inner.waitFor();
  await recovered();
  await inner.waitFor();

  await page.goto(`${url}#/playground?agent=refunds`);
  await page.getByPlaceholder("Write to the agent").fill("A message that took an hour to write.");
  recovered = await fail(page);
  await recovered();
  await expect
    .poll(() => page.getByPlaceholder("Write to the agent").inputValue())
    .toBe("A message that took an hour to write.");

  await page.goto(`${url}#/runs/${asked}`);
  await page.getByRole("button", { name: "Edit and approve" }).click();
  const amount = page.getByRole("spinbutton", { name: /^amount/u });
  await amount.fill("7");
  recovered = await fail(page);
  await recovered();
  await expect.poll(() => amount.inputValue()).toBe("7");
});

test("a run that the server refuses now is not shown any more", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agent = refundAgent(store);
  const { runId } = await agent.run("Refund FH-1.");
  await using opened = await openStudio(browser, { store, agents: [agent] });
  const { page, url } = opened;
  await page.goto(`${url}#/runs/${runId}`);
  await page.getByRole("heading", { name: "Refund FH-1." }).waitFor();
  await store.deleteRun(runId);
  await page.getByRole("heading", { name: "There is no such run" }).waitFor();
  await expect.poll(() => page.getByText("Refund FH-1.").count()).toBe(0);
});

test("the error of a missing run keeps its buttons in place, and Try again asks the server again", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  await using opened = await openStudio(browser, { store, agents: [refundAgent(store)] });
  const { page, url } = opened;
  const asked: string[] = [];
  page.on("request", (request) => void (request.url().endsWith("/there-is-none") && asked.push(request.url())));
  await page.clock.install();
  await page.goto(`${url}#/runs/there-is-none`);
  const again = page.getByRole("button", { name: "Try again" });
  await again.waitFor();
  expect(asked).toHaveLength(1);
  await again.evaluate((element) => void (element.dataset["seen"] = ""));
  for (let second = 0; second < 20; second += 1) await page.clock.runFor(1_000);
  expect(asked).toHaveLength(1);
  await expect.poll(() => again.getAttribute("data-seen")).toBe("");
  await again.click();
  await expect.poll(() => asked.length).toBe(2);
});

test("records of a live run appear, and the record that a viewer opened stays open", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agent = refundAgent(store);
  const { runId } = await agent.run("Refund FH-1.");
  await using opened = await openStudio(browser, { store, agents: [agent] });
  const { page, url } = opened;
  await page.goto(`${url}#/runs/${runId}?tab=records`);
  const first = page.locator("#record-1");
  await first.locator("summary").first().click();
  const before = await page.locator(".records > details").count();
  const [question] = await agent.interruptions(runId);
  await agent.resume(runId, [{ id: question?.id ?? "", type: "approve" }]);
  await expect.poll(() => page.locator(".records > details").count()).toBeGreaterThan(before);
  await expect.poll(() => first.getAttribute("open")).not.toBeNull();
});

test("folding a run inside one run does not fold another run's", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const inner = new Agent({
    name: "inner",
    description: "Answers.",
    model: scriptedModel(() => "Yes."),
    store,
    logger: quiet,
  });
  const outer = new Agent({
    name: "outer",
    model: scriptedModel(({ toolResults }) =>
      toolResults.length > 0 ? "It says yes." : { toolCalls: [{ name: "ask_inner", arguments: { input: "Really?" } }] },
    ),
    tools: [inner.asTool({ name: "ask_inner" })],
    store,
    logger: quiet,
  });
  const { runId: first } = await outer.run("One.");
  const { runId: second } = await outer.run("Two.");
  await using opened = await openStudio(browser, { store, agents: [outer, inner] });
  const { page, url } = opened;
  const fold = page.getByRole("button", { name: "Run inside ask_inner" });
  const go = async (runId: string, title: string): Promise<void> => {
    await page.evaluate((id) => (location.hash = `#/runs/${id}`), runId);
    await page.getByRole("heading", { name: title }).waitFor();
    await fold.waitFor();
  };
  await page.goto(`${url}#/`);
  await go(second, "Two.");
  await go(first, "One.");
  await fold.click();
  await expect.poll(() => fold.getAttribute("aria-expanded")).toBe("false");
  await go(second, "Two.");
  await expect.poll(() => fold.getAttribute("aria-expanded")).toBe("true");
});
