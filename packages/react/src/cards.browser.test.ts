import axe from "axe-core";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { words } from "../../server/src/http/suspicious-refund.fixture.ts";
import { launchBrowser } from "../../studio/test/launch-browser.fixture.ts";
import { cardChat } from "./card-chat.fixture.ts";
import { cardPages } from "./card-pages.fixture.ts";
import { serveCards, type CardServer } from "./card-server.fixture.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => browser.close());

const served = async (said: string): Promise<CardServer> =>
  serveCards(said, fileURLToPath(new URL("cards-page.fixture.tsx", import.meta.url)));

const card = (page: Page) => page.locator(".bw-card");
const press = async (page: Page, name: string): Promise<void> =>
  page.getByRole("button", { name, exact: true }).click();
/** Waits for the card of a question; if none comes, the failure shows what the page says instead. */
async function waits(page: Page): Promise<void> {
  await expect.poll(() => page.locator("body").innerText()).toContain("Reject…");
  await card(page).getByRole("button", { name: "Reject…" }).waitFor();
}

/** The flaws that a screen reader or a person with weak eyes misses on the page. */
async function problemsOf(page: Page): Promise<readonly string[]> {
  const found = await page.evaluate(`${axe.source}; axe.run(document, { resultTypes: ["violations"] })`);
  const { violations } = found as { violations: { id: string; nodes: { html: string }[] }[] };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
}

test("the card of an attack shows its level and deciding facts, and takes a second act to approve [react.cards] [questions.acknowledged]", async () => {
  const { url, paid, close } = await served(words.attack);
  const page = await browser.newPage();
  await page.goto(url);
  await waits(page);
  const text = (await card(page).innerText()).replaceAll(/\s+/gu, " ");
  for (const fact of ["Suspicious", "900", "⚠ untrusted", "mallory@example.com", words.attack])
    expect(text).toContain(fact);
  await expect.poll(() => card(page).locator("mark").allInnerTexts()).toContain("900");

  await press(page, "Approve…");
  await expect.poll(() => page.getByRole("button", { name: "Approve anyway" }).isDisabled()).toBe(true);
  await press(page, "Do not approve");
  await press(page, "Edit");
  await expect.poll(() => page.getByRole("button", { name: "Approve with these values" }).isDisabled()).toBe(true);
  await press(page, "Back");
  await press(page, "Approve…");
  await page.getByRole("checkbox", { name: "I checked these values" }).check();
  expect(paid).toEqual([]);
  await press(page, "Approve anyway");
  await expect.poll(() => paid).toEqual([900]);
  await page.getByText("Done.").waitFor();
  await expect.poll(() => card(page).count()).toBe(0);
  await page.close();
  close();
});

test("the card of an honest call is approved by one act, also with values edited in a form by the schema [react.cards]", async () => {
  for (const isEdited of [false, true]) {
    const { url, paid, speeds, close } = await served(words.honest);
    const page = await browser.newPage();
    await page.goto(url);
    await waits(page);
    await expect.poll(() => card(page).getAttribute("data-level")).not.toBe("suspicious");
    if (isEdited) {
      await press(page, "Edit");
      await page.getByRole("spinbutton", { name: "amount" }).fill("40");
      // A field of the schema that the model left out.
      await page.getByRole("combobox", { name: "speed" }).selectOption("instant");
      await press(page, "Approve with these values");
    } else await press(page, "Approve");
    await expect.poll(() => paid).toEqual([isEdited ? 40 : 900]);
    expect(speeds).toEqual(isEdited ? ["instant"] : []);
    await page.close();
    close();
  }
});

test("a rejection gives the model its reason, and the keyboard alone is enough [react.cards]", async () => {
  const { url, paid, agent, close } = await served(words.attack);
  const page = await browser.newPage();
  await page.goto(url);
  await waits(page);
  await page.getByRole("button", { name: "Reject…" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Reason, which the agent reads (optional)").waitFor();
  await page.keyboard.press("Escape");
  await waits(page);
  await page.getByRole("button", { name: "Reject…" }).press("Enter");
  await page.getByLabel("Reason, which the agent reads (optional)").fill("Not asked for.");
  await page.keyboard.press("Enter");
  await page.getByText("Done.").waitFor();
  expect(paid).toEqual([]);
  const loaded = await agent.sessions?.load(cardChat, { userId: "ana" });
  expect(JSON.stringify(loaded?.messages)).toContain("Not asked for.");
  await page.close();
  close();
});

test.each([
  ["a phone", 320, "ltr", "light"],
  ["a phone, from right to left", 390, "rtl", "dark"],
  ["a desk", 1_440, "ltr", "dark"],
] as const)(
  "the card fits the screen and its buttons are large enough: %s [react.cards]",
  async (_name, width, dir, colorScheme) => {
    const { url, close } = await served(words.attack);
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    await page.goto(`${url}?dir=${dir}`);
    await waits(page);
    const scroll = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(scroll).toBe(0);
    for (const button of await card(page).getByRole("button").all())
      await expect.poll(async () => (await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    const edge = await card(page).evaluate((element) => getComputedStyle(element)["borderInlineStartWidth"]);
    expect(edge).toBe("4px");
    const folder = process.env["BAILIWICK_SCREENSHOTS"];
    if (folder !== undefined)
      await page.screenshot({ path: `${folder}/card-${width}-${dir}-${colorScheme}.png`, fullPage: true });
    await page.close();
    close();
  },
);

test("the card is complete for a screen reader, and its colors have enough contrast [react.cards]", async () => {
  const { url, close } = await served(words.attack);
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await browser.newPage({ colorScheme });
    await page.goto(url);
    await waits(page);
    await press(page, "Approve…");
    expect(await problemsOf(page)).toEqual([]);
    await page.close();
  }
  close();
});

test.each(cardPages.slice(1))(
  "the page of the %s shows an attack as what it is, and takes a second act [react.cards]",
  async (name, entry, styles) => {
    const { url, paid, close } = await serveCards(words.attack, entry, styles);
    for (const [width, colorScheme] of [
      [390, "light"],
      [1_440, "dark"],
    ] as const) {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      await page.goto(`${url}?chat=${cardChat}`);
      await waits(page);
      // The level is in view, also where the card is higher than the screen.
      const level = card(page).getByText("Suspicious", { exact: false }).first();
      if (styles !== undefined) await expect.poll(async () => (await level.boundingBox())?.y).toBeGreaterThan(0);
      const text = (await card(page).innerText()).replaceAll(/\s+/gu, " ");
      for (const fact of ["Suspicious", "900", "⚠ untrusted", "mallory@example.com"]) expect(text).toContain(fact);
      if (styles !== undefined) expect(await problemsOf(page)).toEqual([]);
      const scroll = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(scroll).toBe(0);
      const folder = process.env["BAILIWICK_SCREENSHOTS"];
      if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
      await press(page, "Approve…");
      await expect.poll(() => page.getByRole("button", { name: "Approve anyway" }).isDisabled()).toBe(true);
      expect(paid).toEqual([]);
      await page.close();
    }
    close();
  },
);
