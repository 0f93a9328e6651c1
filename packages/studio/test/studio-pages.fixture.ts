import type { PostgresStore } from "@bailiwick/store-postgres";
import type { SqliteStore } from "@bailiwick/store-sqlite";
import type { Page } from "playwright";

/** A page of the studio, in a state that a viewer can reach. */
export interface StudioPage {
  readonly path: string;
  /** Selector of an element that the loaded page shows. */
  readonly ready: string;
  readonly act?: (page: Page) => Promise<void>;
}

/** The oldest run of an agent: the playground makes newer ones. */
export async function oldestRun(store: SqliteStore | PostgresStore, agentId: string): Promise<string> {
  const { runs } = await store.searchRuns({ agentId });
  return runs.at(-1)?.run.id ?? "";
}

/** Every page of the studio over the runs of `storeRuns`. */
export async function studioPages(store: SqliteStore | PostgresStore): Promise<readonly StudioPage[]> {
  const [parcels, shop] = [await oldestRun(store, "parcels"), await oldestRun(store, "shop")];
  return [
    { path: "#/", ready: ".run-row" },
    { path: "#/?text=nothing-has-this", ready: ".empty" },
    { path: `#/runs/${parcels}`, ready: ".bar-row" },
    { path: `#/runs/${parcels}?span=m2`, ready: ".panel .note.good" },
    {
      path: `#/runs/${parcels}?span=m2`,
      ready: ".panel .message",
      act: (page) => page.getByRole("button", { name: "Compare", exact: true }).click(),
    },
    {
      path: `#/runs/${parcels}`,
      ready: ".bar-row",
      act: (page) => page.locator(".bar-row.tool").nth(1).click(),
    },
    { path: `#/runs/${shop}?tab=authority`, ready: ".flow-node" },
    {
      path: `#/runs/${shop}?tab=records`,
      ready: ".records summary",
      act: (page) => page.locator(".records summary").nth(1).click(),
    },
    { path: "#/inbox", ready: ".question" },
    { path: "#/tools", ready: ".tool", act: (page) => page.locator(".tool-head").nth(1).click() },
    { path: "#/queue", ready: ".schedule" },
    {
      path: "#/memory",
      ready: ".memory-foot",
      act: async (page) => {
        await page.getByRole("button", { name: "History" }).click();
        await page.getByRole("button", { name: "Edit" }).click();
      },
    },
    { path: `#/compare?a=${parcels}&b=${shop}`, ready: ".diff-line" },
    {
      path: `#/playground?run=${parcels}`,
      ready: ".editor .message",
      act: (page) => page.getByRole("button", { name: "Add a fork" }).click(),
    },
    { path: "#/playground", ready: ".variant" },
    { path: "#/runs/there-is-none", ready: "[role=alert]" },
  ];
}
