// Opens pages of the built site in Chromium like a user: errors of scripts, requests to other hosts, pages that are
// wider than the screen, and a search without a hit cannot be seen in the files.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright";

const types = /** @type {Record<string, string>} */ ({
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
});
/** How long a window waits for something, in milliseconds: other checks may use the processor. */
const patience = 300_000;
/** The search field waits before each search, so several windows share the searches. */
const searchWindows = 4;
const narrow = /** @type {const} */ ({ width: 390, height: 844, colorScheme: "dark" });
const wide = /** @type {const} */ ({ width: 1440, height: 900, colorScheme: "light" });

/**
 * Lists the problems of rendered pages.
 *
 * @param {string} folder the built site
 * @param {readonly string[]} paths the pages to open, such as `/quickstart`
 * @param {Readonly<Record<string, string>>} searches the page that has to be among the first three hits, by the words
 * @param {string} executablePath of Chromium
 * @returns {Promise<string[]>} one line for each problem
 */
export async function browseSite(folder, paths, searches, executablePath) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname));
    const name = path.endsWith("/") ? `${path}index.html` : extname(path) === "" ? `${path}.html` : path;
    readFile(join(folder, name)).then(
      (bytes) => response.writeHead(200, { "content-type": types[extname(name)] ?? "text/plain" }).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const browser = await chromium.launch({
    timeout: patience,
    executablePath,
    args: ["--no-sandbox", "--disable-background-networking", "--disable-dev-shm-usage"],
  });
  /** @type {string[]} */
  const problems = [];
  try {
    // In parallel, because a window mostly waits for its page.
    await Promise.all([
      inWindow(narrow, async (window) => draw(window, paths)),
      inWindow(wide, async (window) => draw(window, paths)),
      ...partsOf(Object.entries(searches), searchWindows).map((part) =>
        inWindow(wide, async (window) => search(window, part)),
      ),
    ]);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
  return problems;

  /**
   * Opens a window and uses it. Failed scripts, errors of the console and requests to other hosts are problems.
   *
   * @param {typeof narrow | typeof wide} screen
   * @param {(window: Window) => Promise<void>} use
   */
  async function inWindow({ colorScheme, ...viewport }, use) {
    const context = await browser.newContext({ viewport, colorScheme });
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    const add = (/** @type {string} */ problem) =>
      problems.push(`${new URL(page.url()).pathname} at ${viewport.width} pixels: ${problem}`);
    page.on("pageerror", (error) => add(`a script failed: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") add(`the console has an error: ${message.text()}`);
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(origin) && !url.startsWith("data:")) add(`a request to another host: ${url}`);
    });
    await use({ page, origin, add });
    await context.close();
  }
}

/**
 * @typedef {object} Window
 * @property {import("playwright").Page} page
 * @property {string} origin of the site
 * @property {(problem: string) => void} add adds a problem of the page that is open
 */

/**
 * Opens pages one after the other, and checks their layout.
 *
 * @param {Window} window
 * @param {readonly string[]} paths
 */
async function draw({ page, origin, add }, paths) {
  for (const path of paths) {
    await page.goto(`${origin}${path}`);
    await hydrated(page);
    const text = await page.locator("main, .VPHome, .VPContent").first().innerText();
    if (text.trim().length < 200) add("nearly no text");
    const wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    if (Number(wider) > 0) add(`${wider} pixels wider than the screen`);
  }
}

/**
 * Types the words of each search, and looks for the wanted page among the first three hits.
 *
 * @param {Window} window
 * @param {readonly (readonly [words: string, wanted: string])[]} searches
 */
async function search({ page, origin, add }, searches) {
  await page.goto(`${origin}/`);
  await hydrated(page);
  await page.keyboard.press("/");
  const input = page.locator("#localsearch-input");
  const hits = page.locator("#localsearch-list a");
  for (const [words, wanted] of searches) {
    // An empty list between two searches ensures that the hits belong to these words.
    await input.fill("");
    await hits.first().waitFor({ state: "detached" });
    await input.fill(words);
    await hits.first().waitFor();
    const found = await hits.evaluateAll((all) => all.slice(0, 3).map((hit) => hit.getAttribute("href")));
    if (!found.some((hit) => hit?.split("#")[0] === wanted))
      add(`the search for "${words}" finds ${found.join(", ")} and not ${wanted}`);
  }
}

/**
 * Waits until a page has its fonts and its scripts have run: only then does it hear keys, and have its errors occurred.
 *
 * @param {import("playwright").Page} page
 */
async function hydrated(page) {
  await page.waitForFunction("document.querySelector('#app')?.__vue_app__ !== undefined");
  await page.evaluate("document.fonts.ready.then(() => undefined)");
}

/**
 * Splits a list into parts of nearly the same length.
 *
 * @template T
 * @param {readonly T[]} list
 * @param {number} count of the parts
 * @returns {T[][]}
 */
function partsOf(list, count) {
  const size = Math.ceil(list.length / count);
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}
