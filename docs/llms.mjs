// Writes llms.txt (a list of pages) and llms-full.txt (all of them) next to the built site, and each page as Markdown.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readerMarkdown } from "./site/reader-markdown.mjs";
import { sections } from "./site/sections.mjs";

const skipped = new Set(["node_modules", ".vitepress", ".cache", ".turbo", "public"]);

/** Tables of every claim and its tests: evidence, without explanations. */
const evidence = "conformance/";

/** Records of the project about itself and the pages of single errors, which llms.txt links to. */
const isProject = (/** @type {string} */ path) => /^(?:decisions|errors\/[A-Z])/.test(path);

const listed = new Set(sections.flatMap(({ pages }) => pages.map((page) => `${page}.md`)));

/**
 * The sections of llms.txt. A reader with a small context may leave out the last one.
 *
 * @type {readonly (readonly [title: string, has: (path: string) => boolean])[]}
 */
const parts = [
  ...sections.map(
    ({ title, pages }) =>
      /** @type {const} */ ([
        title,
        (/** @type {string} */ path) =>
          pages.some((page) => path === `${page}.md` || path === `${page}index.md`) ||
          (title === "Recipes" && path.startsWith("recipes/") && path !== "recipes/authorize.md"),
      ]),
  ),
  ["More guides", (path) => path.startsWith("guides/") && !listed.has(path)],
  // Each index lists the pages of its package.
  ["API reference", (path) => /^reference\/[^/]+\/index\.md$/.test(path)],
  ["Options", (path) => /^options\/(?!index)/.test(path)],
  ["Specification", (path) => path.startsWith("spec/")],
  ["Optional", (path) => path.startsWith("decisions/") || path === `${evidence}index.md`],
];

/** The place of a page in the order of the site; pages without one follow in alphabetical order. */
const placeOf = (/** @type {string} */ path) => {
  const place = [...listed].findIndex((page) => page === path || `${page.slice(0, -".md".length)}index.md` === path);
  return place === -1 ? Number.MAX_SAFE_INTEGER : place;
};

/**
 * @param {string} from the folder of the pages
 * @param {string} to the built site
 */
export function writeLlmsTexts(from, to) {
  const pages = pagesBelow(from, "").map((path) => ({
    path,
    text: readerMarkdown(readFileSync(join(from, path), "utf8")),
  }));
  const lines = ["# Bailiwick", "", "> A TypeScript framework for agents that act."];
  for (const [title, has] of parts) {
    const listed = pages.filter(({ path }) => has(path)).sort((a, b) => placeOf(a.path) - placeOf(b.path));
    if (listed.length > 0) lines.push("", `## ${title}`, "", ...listed.map(lineOf));
  }
  mkdirSync(to, { recursive: true });
  for (const { path, text } of pages) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), text);
  }
  writeFileSync(join(to, "llms.txt"), `${lines.join("\n")}\n`);
  const full = pages.filter(({ path }) => !path.startsWith(evidence) && !isProject(path));
  writeFileSync(
    join(to, "llms-full.txt"),
    full.map(({ path, text }) => `<!-- /${path} -->\n\n${text.trim()}\n`).join("\n"),
  );
}

/**
 * @param {{ path: string, text: string }} page
 */
function lineOf({ path, text }) {
  const summary = summaryOf(text);
  return `- [${titleOf(text, path)}](/${path})${summary === "" ? "" : `: ${summary}`}`;
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function pagesBelow(root, folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const pages = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".md"));
  const folders = entries.filter((entry) => entry.isDirectory() && !skipped.has(entry.name));
  return [
    ...pages.map(({ name }) => join(folder, name)),
    ...folders.flatMap(({ name }) => pagesBelow(root, join(folder, name))),
  ];
}

/**
 * @param {string} text
 * @param {string} path
 */
function titleOf(text, path) {
  return /^#\s+(.+)$/m.exec(text)?.[1] ?? /^title:\s*(.+)$/m.exec(text)?.[1] ?? path;
}

/**
 * The first sentence below the title, without links and without the word that a decision begins with.
 *
 * @param {string} text
 */
export function summaryOf(text) {
  const [, below = text] = /^#\s+.+$([\s\S]*)/m.exec(text) ?? [];
  const prose = below.replace(/^```[\s\S]*?^```$/gm, "").split(/\n\s*\n/);
  const paragraph = prose.find((block) => /^[\p{L}`*[]/u.test(block.trim())) ?? "";
  const plain = paragraph
    .replace(/\s+/g, " ")
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/^ ?\*\*Deci\w+\.\*\* /, "")
    .trim();
  return (/^.*?[.:](?=\s|$)/.exec(plain)?.[0] ?? plain).replace(/:$/, ".");
}
