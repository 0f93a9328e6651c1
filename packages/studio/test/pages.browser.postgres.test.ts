import { postgresStore } from "@bailiwick/store-postgres";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { temporarySchema, testUrl } from "../../store-postgres/src/temporary-schema.fixture.ts";
import { findDefects } from "./find-defects.fixture.ts";
import { launchBrowser } from "./launch-browser.fixture.ts";
import { openStudio } from "./open-studio.fixture.ts";
import { storeRuns } from "./stored-runs.fixture.ts";
import { studioPages } from "./studio-pages.fixture.ts";

test("every page shows the runs of agents in PostgreSQL, and a person approves a call there", async () => {
  await using place = temporarySchema();
  await using store = postgresStore({ url: testUrl, schema: place.schema });
  const agents = await storeRuns(store);
  const browser = await launchBrowser();
  try {
    await using opened = await openStudio(browser, {
      store,
      agents,
      models: [scriptedModel(["From another model."], { modelId: "scripted-2" })],
    });
    const { page } = opened;
    for (const { path, ready, act } of await studioPages(store)) {
      await page.goto(`${opened.url}${path}`);
      await page.locator(ready).first().waitFor();
      await act?.(page);
      await expect.poll(() => page.evaluate(findDefects), { message: path }).toEqual([]);
    }
    const { runs } = await store.searchRuns({ agentId: "refunds" });
    const runId = runs.find(({ run }) => run.state === "suspended")?.run.id ?? "";
    await page.goto(`${opened.url}#/runs/${runId}`);
    await page.getByRole("button", { name: "Approve", exact: true }).first().click();
    await expect.poll(async () => (await store.getRun(runId))?.state).toBe("completed");
    expect(opened.foreign).toEqual([]);
  } finally {
    await browser.close();
  }
});
