import { modelServer } from "@bailiwick/testing/model-server";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coveredWidths } from "../../../packages/studio/test/covered-widths.fixture.ts";
import { launchBrowser } from "../../../packages/studio/test/launch-browser.fixture.ts";
import { DeskFolder } from "./desk-process.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const sizes = [
  { width: 360, height: 740 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 3840, height: 2160 },
];
const schemes = ["light", "dark"] as const;

/** Defects of the layout as rendered: each line names the element. */
function findDefects(): string[] {
  const defects: string[] = [];
  const name = (element: Element): string =>
    `${element.tagName.toLowerCase()}.${element.className} "${(element.textContent ?? "").trim().slice(0, 30)}"`;
  const isDrawn = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.closest(".visually-hidden, .skip") === null &&
    // A clipped row of headings is only for screen readers.
    getComputedStyle(element.closest("thead") ?? element).clipPath === "none";

  if (document.documentElement.scrollWidth > innerWidth) defects.push("the page scrolls horizontally");
  for (const pane of document.querySelectorAll(".detail, .single, .mails"))
    if (isDrawn(pane) && pane.scrollWidth > pane.clientWidth) defects.push(`${name(pane)} scrolls horizontally`);
  for (const pane of document.querySelectorAll(".scroll"))
    if (!pane.matches(".markdown *") && isDrawn(pane) && pane.scrollWidth > pane.clientWidth)
      defects.push(`${name(pane)} scrolls horizontally`);

  for (const control of document.querySelectorAll("button, .bar a, .bar summary, select")) {
    if (!isDrawn(control)) continue;
    const { left, right, height } = control.getBoundingClientRect();
    if (left < 0 || right > innerWidth) defects.push(`${name(control)} is cut off at the side`);
    if (control.scrollWidth > control.clientWidth + 1) defects.push(`${name(control)} cuts its text off`);
    const line = Number.parseFloat(getComputedStyle(control).lineHeight);
    if (height > 2.5 * line) defects.push(`${name(control)} has several lines`);
  }
  const header = document.querySelector(".bar");
  if (header !== null && header.getBoundingClientRect().height > 90) defects.push("the header has three lines");

  // A word on more than one line was broken inside: its column is narrower than the word.
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const parent = node.parentElement;
    if (parent === null || !isDrawn(parent) || parent.closest("pre, code, textarea, style, script") !== null) continue;
    for (const match of (node.textContent ?? "").matchAll(/[\p{L}\p{N}$.,]+/gu)) {
      if (match[0].length > 24) continue;
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) defects.push(`the word "${match[0]}" in ${name(parent)} is broken`);
    }
  }
  return defects;
}

async function open(url: string, path: string, colorScheme: "light" | "dark", ready: string): Promise<Page> {
  const page = await browser.newPage({ colorScheme });
  await page.goto(`${url}/${path}`);
  await page.locator(ready).first().waitFor();
  return page;
}

async function handle(url: string, mailId: string): Promise<void> {
  const page = await browser.newPage();
  await page.goto(`${url}/#/mail/${mailId}`);
  await page.getByRole("button", { name: "Handle this mail" }).click();
  await page.getByText("What happened in this run").waitFor();
  await page.close();
}

test("no page scrolls sideways, cuts off a button or breaks a word, at any width and in both colour schemes", async () => {
  await using folder = new DeskFolder();
  const { url } = await folder.start();
  // One answer, one approval and one question.
  for (const mailId of ["m-001", "m-003", "m-012"]) await handle(url, mailId);
  const pages: readonly (readonly [path: string, ready: string])[] = [
    ["", ".scene"],
    ["#/mail/m-001", ".ask"],
    ["#/mail/m-003", ".approval"],
    ["#/mail/m-012", ".question"],
  ];
  for (const [index, [path, ready]] of pages.entries()) {
    for (const colorScheme of schemes) {
      const page = await open(url, path, colorScheme, ready);
      for (const size of coveredWidths(sizes, index, colorScheme)) {
        await page.setViewportSize(size);
        await expect
          .poll(() => page.evaluate(findDefects), { message: `${path} at ${size.width} px, ${colorScheme}` })
          .toEqual([]);
      }
      await page.close();
    }
  }
});

test("the demo model's notice opens over the page, inside the window, and does not move the header", async () => {
  await using folder = new DeskFolder();
  const { url } = await folder.start();
  for (const { width, height } of sizes) {
    const page = await browser.newPage({ viewport: { width, height } });
    await page.goto(url);
    const badge = page.getByText("Embedded demo model", { exact: true });
    await badge.waitFor();
    const before = await page.locator(".bar").boundingBox();
    await badge.click();
    const notice = page.getByText("This desk runs without a key.");
    await notice.waitFor();
    await expect
      .poll(async () => {
        const box = await notice.boundingBox();
        return box !== null && box.x >= 0 && box.x + box.width <= width;
      })
      .toBe(true);
    await expect.poll(() => page.locator(".bar").boundingBox()).toEqual(before);
    await page.close();
  }
});

test("each page has its own title, and a model without a price is shown with no cost", async () => {
  await using folder = new DeskFolder();
  const { url } = await folder.start();
  await handle(url, "m-001");
  const page = await open(url, "#/mail/m-001", "light", ".ask");
  await expect.poll(() => page.title()).toBe("Where is my rucksack? · Fernhollow desk");
  await page.goto(`${url}/studio/`);
  await expect.poll(() => page.title()).toBe("Runs · Bailiwick studio");
  const cost = page.locator(".run-row > .number").nth(1);
  await cost.waitFor();
  await expect.poll(() => cost.innerText()).not.toContain("$0.00");
  await page.close();
});

const answer = `Refund of **249 EUR**:

| order | state |
| --- | --- |
| FH-10191 | refunded |

- first
- second

[your bank](https://phish.example/login) ![pixel](https://track.example/p.png) [run](javascript:alert(1))

<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;

test("the agent's Markdown is rendered, and embedded content is neither run nor loaded", async () => {
  await using server = await modelServer([answer]);
  await using folder = new DeskFolder({ BAILIWICK_BASE_URL: server.baseURL("openai"), BAILIWICK_MODEL: "any" });
  const { url } = await folder.start();
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(url)) foreign.push(request.url());
  });
  await page.goto(`${url}/#/mail/m-001`);
  await page.getByRole("button", { name: "Handle this mail" }).click();
  const text = page.locator(".markdown");
  await text.getByText("FH-10191").waitFor();
  await expect.poll(() => text.locator("strong").innerText()).toBe("249 EUR");
  await expect.poll(() => text.locator("li").allInnerTexts()).toEqual(["first", "second"]);
  await expect.poll(() => text.locator("td").allInnerTexts()).toEqual(["FH-10191", "refunded"]);
  await expect.poll(() => text.locator("img, script").count()).toBe(0);
  await expect.poll(() => text.locator("a[href^=javascript]").count()).toBe(0);
  await expect.poll(() => page.title()).not.toContain("owned");
  await expect.poll(() => page.evaluate(findDefects)).toEqual([]);
  expect(foreign).toEqual([]);
  await page.close();
});
