// The checks of the built site: each finds a blank page, a dead end or a slow page.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { readPage } from "./read-page.mjs";

/** Largest HTML file that the site may have, in bytes. */
export const pageLimit = 300_000;

/** Largest site, in bytes. */
const siteLimit = 60_000_000;

/** The value that each page needs in its `Content-Security-Policy`: the browser then refuses every other host. */
const ownHostOnly = "default-src 'self'";

/** Filled by scripts in the browser: VitePress renders nothing into it. */
const withoutText = new Set(["404.html"]);

/**
 * Lists the problems of a built site. A site with an empty list may be published.
 *
 * @param {string} folder the built site
 * @param {{ siteTitle: string, siteDescription: string }} site the title and the description that pages fall back to
 * @returns {string[]} one line for each problem
 */
export function checkSite(folder, { siteTitle, siteDescription }) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    );
  const known = new Set(files);
  /** @type {Map<string, ReturnType<typeof readPage>>} */
  const pages = new Map();
  const problems = new Problems();
  for (const path of files.filter((name) => name.endsWith(".html"))) {
    const html = readFileSync(join(folder, path), "utf8");
    const size = Buffer.byteLength(html);
    if (size > pageLimit) problems.add(`a page of ${size} bytes, over the limit of ${pageLimit}`, path);
    const page = readPage(html);
    pages.set(path, page);
    if (withoutText.has(path)) continue;
    if (page.text === "") problems.add("an empty main text", path);
    const home = path === "index.html";
    if (page.title === "" || (!home && page.title === siteTitle)) problems.add("no distinct title", path);
    if (page.description === "" || (!home && page.description === siteDescription))
      problems.add("no distinct description", path);
    if (!page.policy.includes(ownHostOnly)) problems.add(`no Content-Security-Policy with ${ownHostOnly}`, path);
  }
  if (pages.size === 0) return [`${folder} has no page`];
  const total = files.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
  if (total > siteLimit) problems.add(`a site of ${total} bytes, over the limit of ${siteLimit}`, ".");
  for (const [path, page] of pages) {
    for (const address of page.loads)
      if (isForeign(address)) problems.add(`a request to another host: ${address}`, path);
    for (const link of [...page.links, ...page.loads]) {
      const problem = problemOf(link, path, known, pages);
      if (problem !== undefined) problems.add(problem, path);
    }
  }
  for (const path of files.filter((name) => name.endsWith(".css")))
    for (const address of addressesOfStyles(readFileSync(join(folder, path), "utf8")))
      if (isForeign(address)) problems.add(`a request to another host: ${address}`, path);
  for (const path of files.filter((name) => name.endsWith(".js")))
    for (const [, address = ""] of readFileSync(join(folder, path), "utf8").matchAll(
      /\b(?:import|fetch|importScripts|Worker)\(\s*["'`]((?:https?:)?\/\/[^"'`]*)/g,
    ))
      problems.add(`a request to another host: ${address}`, path);
  return problems.lines();
}

/**
 * The errors that a build of the site printed. Vue prints the error of a page that it cannot render, leaves the page
 * empty, and the build still succeeds.
 *
 * @param {string} output of the build, both streams
 * @returns {string[]} one line for each error
 */
export function errorsInOutput(output) {
  // oxlint-disable-next-line no-control-regex -- colours of the terminal begin with a control character
  const plain = output.replace(/\u001b\[[\d;]*m/g, "");
  const lines = plain.split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) =>
    /^(?:Uncaught )?(?:\w*Error\b(?: \[|:|$)|\[Vue warn\]|\[vite\].*error|Hydration )/.test(line),
  );
}

/**
 * @param {string} link as it is written in the page
 * @param {string} from the page's file
 * @param {ReadonlySet<string>} files
 * @param {ReadonlyMap<string, ReturnType<typeof readPage>>} pages
 */
function problemOf(link, from, files, pages) {
  if (isForeign(link) || /^(?:mailto|tel|data|blob):/.test(link)) return undefined;
  const base = "http://site.invalid";
  let url, path, anchor;
  try {
    url = new URL(link, `${base}/${from}`);
    path = decodeURIComponent(url.pathname).slice(1);
    anchor = decodeURIComponent(url.hash.slice(1));
  } catch {
    return `an address that cannot be read: ${link}`;
  }
  if (url.origin !== base) return `an address of an unknown kind: ${link}`;
  const candidates = path === "" || path.endsWith("/") ? [`${path}index.html`] : [path, `${path}.html`];
  const target = candidates.find((name) => files.has(name));
  if (target === undefined) return `a dead link: ${link}`;
  const page = pages.get(target);
  if (anchor !== "" && page !== undefined && !page.ids.has(anchor)) return `a dead anchor: ${link}`;
  return undefined;
}

/**
 * @param {string} styles
 * @returns {string[]}
 */
function addressesOfStyles(styles) {
  const found = styles.matchAll(/url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)/g);
  return [...found].map(([, url, imported]) => url ?? imported ?? "");
}

/**
 * @param {string} address
 */
function isForeign(address) {
  return /^(?:https?:)?\/\//i.test(address);
}

/** Groups problems by kind: a problem of the site's frame is on every page. */
class Problems {
  /** @type {Map<string, string[]>} */
  #pages = new Map();

  /**
   * @param {string} problem
   * @param {string} page
   */
  add(problem, page) {
    const pages = this.#pages.get(problem);
    if (pages === undefined) this.#pages.set(problem, [page]);
    else if (!pages.includes(page)) pages.push(page);
  }

  lines() {
    return [...this.#pages].map(([problem, pages]) => {
      const [first = "", ...more] = pages;
      return `${first}${more.length > 0 ? ` and ${more.length} more` : ""}: ${problem}`;
    });
  }
}
