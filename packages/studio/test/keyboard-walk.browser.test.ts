import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { launchBrowser } from "./launch-browser.fixture.ts";
import { openStudio } from "./open-studio.fixture.ts";
import { storeRuns } from "./stored-runs.fixture.ts";
import { studioPages } from "./studio-pages.fixture.ts";
import { walkByTab } from "./tab-walk.fixture.ts";

test("Tab reaches each control of each page, shows the focus, and returns to the first one", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agents = await storeRuns(store);
  const browser = await launchBrowser();
  try {
    const models = [scriptedModel(["From another model."], { modelId: "scripted-2" })];
    await using opened = await openStudio(browser, { store, agents, models });
    const { page, url } = opened;
    for (const { path, ready, act } of await studioPages(store)) {
      await page.goto("about:blank");
      await page.goto(`${url}${path}`);
      await page.locator(ready).first().waitFor();
      await act?.(page);
      await expect.poll(() => page.locator(".skeleton").count(), { message: path }).toBe(0);
      expect(await walkByTab(page), path).toEqual([]);
    }
    expect(opened.foreign).toEqual([]);
  } finally {
    await browser.close();
  }
});
