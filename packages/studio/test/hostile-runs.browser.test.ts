import { sqliteStore } from "@bailiwick/store-sqlite";
import axe from "axe-core";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coveredWidths } from "./covered-widths.fixture.ts";
import { findDefects } from "./find-defects.fixture.ts";
import { storeHostileRuns } from "./hostile-runs.fixture.ts";
import { launchBrowser } from "./launch-browser.fixture.ts";
import { openStudio } from "./open-studio.fixture.ts";

const widths = [360, 768, 1440, 3840];

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function violations(page: Page): Promise<readonly string[]> {
  const found = await page.evaluate(`${axe.source}; axe.run(document, { resultTypes: ["violations"] })`);
  return (found as { violations: { id: string; nodes: { html: string }[] }[] }).violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`,
  );
}

test("long names and texts, agents in agents, forty tools, images and each kind of wait fit every page at each width, in both colour schemes", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agents = await storeHostileRuns(store);
  await using opened = await openStudio(browser, { store, agents });
  const { page, url } = opened;
  const { runs } = await store.searchRuns({ limit: 50 });
  const runOf = (start: string): string =>
    `#/runs/${runs.find(({ run }) => String(run.input).startsWith(start))?.run.id}`;
  const pages: readonly (readonly [path: string, ready: string, click?: string])[] = [
    ["#/", ".run-row"],
    [runOf("nested"), ".bar-row.tool >> nth=1"],
    [runOf("nested"), ".bar-row.tool >> nth=1", ".bar-row.tool >> nth=1"],
    [runOf("ledger"), ".bar-row.tool", ".bar-row.tool >> nth=1"],
    [runOf("ledger"), ".bar-row.tool", ".bar-row.tool >> nth=0"],
    [runOf("Write it"), ".note.bad"],
    ["#/runs/held-0", ".note"],
    ["#/inbox", ".batch"],
    ["#/tools", ".tool", ".tool-head >> nth=7"],
    ["#/queue", ".schedule"],
    ["#/playground", ".variant"],
    [`#/compare?a=${runOf("nested").slice(7)}&b=${runOf("ledger").slice(7)}`, ".diff-line"],
  ];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [index, [path, ready, click]] of pages.entries()) {
      await page.goto("about:blank");
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`${url}${path}`);
      await page.locator(ready).first().waitFor();
      if (click !== undefined) await page.locator(click).click();
      for (const width of coveredWidths(widths, index, colorScheme)) {
        await page.setViewportSize({ width, height: 900 });
        await expect
          .poll(() => page.evaluate(findDefects), { message: `${path} ${click ?? ""} at ${width} px, ${colorScheme}` })
          .toEqual([]);
      }
      await expect.poll(() => violations(page), { message: `${path} ${click ?? ""}, ${colorScheme}` }).toEqual([]);
    }
  }
  expect(opened.foreign).toEqual([]);
});

test("the waterfall shows the runs inside calls, with the details of their bars; a failed run has no open bar", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agents = await storeHostileRuns(store);
  await using opened = await openStudio(browser, { store, agents });
  const { page, url } = opened;
  const { runs } = await store.searchRuns({ limit: 50 });
  const idOf = (start: string) => runs.find(({ run }) => String(run.input).startsWith(start))?.run.id ?? "";
  await page.goto(`${url}#/runs/${idOf("nested")}`);
  const customs = page.locator(".bar-row", { hasText: "ask_customs" }).last();
  await customs.waitFor();
  const fold = page.getByRole("button", { name: "Run inside ask_customs" });
  const query = page.locator(".bar-row.tool", { hasText: "query_warehouse" });
  await fold.click();
  await query.waitFor();
  // The runs are loaded again; unfolded parts stay unfolded.
  let loads = 0;
  page.on("response", (response) => (loads += response.url().includes("/api/runs/") ? 1 : 0));
  await expect
    .poll(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
      return loads;
    })
    .toBeGreaterThan(0);
  await expect.poll(() => fold.getAttribute("aria-expanded")).toBe("true");
  await query.waitFor();
  await query.click();
  await page.locator(".panel .note.bad").getByText("ECONNREFUSED").waitFor();
  // The address names the bar of the inner run.
  await page.reload();
  await page.locator(".panel h2", { hasText: "query_warehouse" }).waitFor();
  await page.goto(`${url}#/runs/${idOf("Write it")}`);
  await page.locator(".bar-row.model", { hasText: "no result" }).waitFor();
  await expect.poll(() => page.locator(".waterfall").getByText("open", { exact: true }).count()).toBe(0);
  expect(opened.foreign).toEqual([]);
});

test("a search is saved under its words, chosen again and deleted; a tool is found by its name", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agents = await storeHostileRuns(store);
  await using opened = await openStudio(browser, { store, agents });
  const { page, url } = opened;
  await page.goto(`${url}#/?state=failed,stuck&tool=label_ticket`);
  await page.getByRole("button", { name: "Save this search" }).click();
  await page.goto(`${url}#/`);
  await page.locator(".run-row").first().waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Failed, tool label_ticket" }).click();
  await expect.poll(() => page.evaluate(() => decodeURIComponent(location.hash))).toContain("state=failed,stuck");
  await page.getByRole("button", { name: "Forget this search" }).click();
  await expect.poll(() => page.locator(".chip-button").count()).toBe(0);

  await page.goto(`${url}#/tools`);
  await page.locator(".tool").nth(40).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("issues_17");
  await expect.poll(() => page.locator(".tool").count()).toBe(1);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("export");
  await page.getByRole("button", { name: /^Not fully declared/u }).click();
  await page.getByText("No tool fits this search").waitFor();
  expect(opened.foreign).toEqual([]);
});
