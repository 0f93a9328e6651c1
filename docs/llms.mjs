// Writes llms.txt (an index) and llms-full.txt (every page) beside the built site, and each page as Markdown.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const skipped = new Set(["node_modules", ".vitepress", ".cache", ".turbo", "public"]);

/**
 * @param {string} from the folder of the pages
 * @param {string} to the built site
 */
export function writeLlmsTexts(from, to) {
  const pages = pagesBelow(from, "").map((path) => ({ path, text: readFileSync(join(from, path), "utf8") }));
  const lines = ["# Bailiwick", "", "> A TypeScript framework for agents that act.", ""];
  let section = "";
  for (const { path, text } of pages) {
    const folder = path.includes("/") ? (path.split("/")[0] ?? "") : "guides";
    if (folder !== section) lines.push(...(section === "" ? [] : [""]), `## ${folder}`, "");
    section = folder;
    lines.push(`- [${titleOf(text, path)}](/${path})`);
    mkdirSync(dirname(join(to, path)), { recursive: true });
    copyFileSync(join(from, path), join(to, path));
  }
  writeFileSync(join(to, "llms.txt"), `${lines.join("\n")}\n`);
  writeFileSync(
    join(to, "llms-full.txt"),
    pages.map(({ path, text }) => `<!-- /${path} -->\n\n${text.trim()}\n`).join("\n"),
  );
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
