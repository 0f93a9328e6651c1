import { Agent, tool } from "@bailiwick/agent";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { launchBrowser } from "./launch-browser.fixture.ts";
import { openStudio } from "./open-studio.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test("calls of one turn that differ only in their values are one card; a person excludes one and approves the rest at once [questions.batch]", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const booked: number[] = [];
  const book = tool({
    name: "book_table",
    description: "Books a table.",
    inputSchema: z.object({ table: z.number() }),
    sideEffectClass: "external-stateful",
    needsApproval: true,
    idempotencyKey: "call",
    execute: ({ table }) => {
      booked.push(table);
      return "Booked.";
    },
  });
  const model = scriptedModel([
    { toolCalls: [1, 2, 3].map((table) => ({ name: "book_table", arguments: { table } })) },
    "Done.",
  ]);
  const agent = new Agent({ name: "planner", model, tools: [book], flow: "off", store, logger: quiet });
  const { runId } = await agent.run("Book three tables.");
  await using opened = await openStudio(browser, { store, agents: [agent] });
  const { page } = opened;
  await page.goto(`${opened.url}#/runs/${runId}`);
  await page.getByRole("article", { name: "3 calls of book_table" }).waitFor();
  await page.goto(`${opened.url}#/inbox`);
  const card = page.getByRole("article", { name: "3 calls of book_table" });
  await card.waitFor();
  await expect.poll(() => page.locator(".question").count()).toBe(1);
  for (const table of [1, 2, 3]) await card.getByText(`Book table (table: ${table})?`).waitFor();

  await card.getByRole("checkbox", { name: "Book table (table: 2)?" }).uncheck();
  await card.getByRole("button", { name: "Approve 2" }).click();
  await expect.poll(() => booked.toSorted((a, b) => a - b)).toEqual([1, 3]);
  // The excluded question stays open, as a separate card.
  const rest = page.getByRole("article", { name: "Book table (table: 2)?" });
  await rest.waitFor();
  expect((await store.getRun(runId))?.state).toBe("suspended");
  await rest.getByRole("button", { name: "Reject" }).click();
  await rest.getByRole("button", { name: "Reject" }).click();
  await expect.poll(async () => (await store.getRun(runId))?.state).toBe("completed");
  expect(booked.toSorted((a, b) => a - b)).toEqual([1, 3]);
  expect(opened.foreign).toEqual([]);
});
