// Opens pages of the built site in Chromium, as a reader would: errors of scripts, requests to other hosts, pages that
// are wider than the screen, and a search that finds nothing are not visible in the files.
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
const screens = [
  { width: 390, height: 844, colorScheme: /** @type {const} */ ("dark") },
  { width: 1440, height: 900, colorScheme: /** @type {const} */ ("light") },
];

/**
 * Lists what is wrong with pages as they are drawn.
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
    executablePath,
    args: ["--no-sandbox", "--disable-background-networking", "--disable-dev-shm-usage"],
  });
  /** @type {string[]} */
  const problems = [];
  try {
    for (const { width, height, colorScheme } of screens) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme });
      const page = await context.newPage();
      let path = "";
      const add = (/** @type {string} */ problem) => problems.push(`${path} at ${width} pixels: ${problem}`);
      page.on("pageerror", (error) => add(`a script failed: ${error.message}`));
      page.on("console", (message) => {
        if (message.type() === "error") add(`the console has an error: ${message.text()}`);
      });
      page.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(origin) && !url.startsWith("data:")) add(`a request to another host: ${url}`);
      });
      for (path of paths) {
        await page.goto(`${origin}${path}`, { waitUntil: "networkidle" });
        const text = await page.locator("main, .VPHome, .VPContent").first().innerText();
        if (text.trim().length < 200) add("nearly no text");
        const wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        if (Number(wider) > 0) add(`${wider} pixels wider than the screen`);
      }
      if (width > 1000) {
        path = "the search";
        await page.keyboard.press("/");
        const list = page.locator("#localsearch-list a");
        for (const [words, wanted] of Object.entries(searches)) {
          // An empty list between two searches: the hits that are read are those of these words.
          await page.locator("#localsearch-input").fill("");
          await list.first().waitFor({ state: "detached" });
          await page.locator("#localsearch-input").fill(words);
          await list.first().waitFor();
          const hits = await Promise.all((await list.all()).slice(0, 3).map((hit) => hit.getAttribute("href")));
          if (!hits.some((hit) => hit?.split("#")[0] === wanted))
            add(`"${words}" finds ${hits.join(", ")} and not ${wanted}`);
        }
      }
      await context.close();
    }
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
  return problems;
}
