// Puts small exports of an entry point on one page by topic: one page for each of a thousand types takes long to build
// and to click through. Classes and large options types keep their page.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { modulesOf } from "./reference-gaps.mjs";

/** Largest Markdown of an export that shares a page, in characters. */
const smallPage = 2_500;

/**
 * The topics of entry points with many exports: the file, the title, and the sources that belong to it. The first that
 * fits is taken.
 *
 * @type {Readonly<Record<string, readonly (readonly [file: string, title: string, sources: RegExp])[]>>}
 */
const topics = {
  "core/main": [
    ["errors", "Errors", /src\/errors\/|contracts\/error-data/],
    ["sandboxes", "Sandboxes", /sandbox/],
    [
      "tools",
      "Tools",
      /contracts\/(?:tool|client-tool|function-tool|resolved-tool|call-payloads|vocabularies|path)|src\/(?:tools|registry)\//,
    ],
    [
      "protection",
      "Approvals, guardrails, labels and secrets",
      /approval|guardrail|flow-options|label|interruption|question|remembered|ports\/(?:security|secrets)|keys|preflight|verify-audit/,
    ],
    [
      "messages",
      "Messages, schemas and JSON",
      /contracts\/(?:content-part|message|json|schema|finish-reason)|src\/history\//,
    ],
    [
      "models",
      "Models",
      /contracts\/(?:model-|stream-chunk|token-usage|reasoning|retry|context-config)|src\/(?:providers|models|context)\//,
    ],
    [
      "events",
      "Events, hooks, extensions and telemetry",
      /contracts\/(?:run-event|journal-event|event-bus|hooks|extension|token-handlers|signal)|ports\/(?:telemetry|logger)|src\/events\/|console-logger/,
    ],
    ["stores", "Stores, sessions and memory", /contracts\/(?:ports\/|owner)|src\/(?:journal|memories)\//],
    ["runs", "Agents, runs and results", /contracts\/|src\/(?:runner|composition)\//],
  ],
};

/** The topics of every other entry point: the file, the title, and the folders of TypeDoc that belong to it. */
const kinds = /** @type {const} */ ([
  ["functions", "Functions", new Set(["functions", "variables"])],
  ["types", "Types", new Set(["interfaces", "type-aliases", "classes"])],
]);

/**
 * An export that shares a page.
 *
 * @typedef {object} SharedExport
 * @property {string} name
 * @property {string} text Markdown
 * @property {string} page the page that it shares, below the reference's folder
 * @property {string} title of that page
 */

/**
 * Merges small pages of the reference, and corrects the links to them in the whole reference.
 *
 * @param {any} project the JSON of TypeDoc
 * @param {string} folder of the reference
 */
export function shareSmallPages(project, folder) {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.replaceAll("\\", "/"));
  const read = (/** @type {string} */ path) => readFileSync(join(folder, path), "utf8");
  const sources = sourcesOf(project);
  // Exports that the first page of the reference links to keep their page.
  const prominent = new Set([...read("index.md").matchAll(/\]\(([^)]+\.md)\)/g)].map(([, path]) => path));
  /** @type {Map<string, SharedExport>} */
  const shared = new Map();
  for (const path of paths) {
    if (prominent.has(path)) continue;
    const [, module, kind, name] = /^(.+)\/([\w-]+)\/(\w+)\.md$/.exec(path) ?? [];
    if (module === undefined || kind === undefined || name === undefined || name === "index") continue;
    const text = withoutInheritedErrors(read(path));
    if (text.length > smallPage) continue;
    const [file, title] = topicOf(module, kind, sources.get(`${module}:${name}`) ?? "");
    shared.set(path, { name, text, page: `${module}/${file}.md`, title });
  }
  /** @type {Map<string, [path: string, entry: SharedExport][]>} */
  const pages = new Map();
  for (const [path, entry] of shared) pages.set(entry.page, [...(pages.get(entry.page) ?? []), [path, entry]]);
  for (const [page, [first, ...more]] of pages) {
    if (first === undefined || more.length > 0) continue;
    // An export that is alone keeps its page.
    shared.delete(first[0]);
    pages.delete(page);
  }
  for (const [page, entries] of pages) write(folder, page, sharedPage(page, entries, shared, read));
  for (const path of shared.keys()) rmSync(join(folder, path));
  for (const path of paths) {
    if (shared.has(path)) continue;
    const text = relinked(read(path), path, path, shared);
    write(folder, path, path.endsWith("/index.md") ? withTopics(text, path, pages) : text);
  }
}

/**
 * @param {string} folder
 * @param {string} path
 * @param {string} text
 */
function write(folder, path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/**
 * The source of each export, by its entry point and name.
 *
 * @param {any} project
 * @returns {Map<string, string>}
 */
function sourcesOf(project) {
  return new Map(
    project.children.flatMap((/** @type {any} */ pack) =>
      modulesOf(pack).flatMap((/** @type {any} */ module) => {
        const folder = pack.name.replace("@bailiwick/", "");
        const key = module === pack ? folder : `${folder}/${module.name}`;
        return (module.children ?? []).map((/** @type {any} */ one) => [
          `${key}:${one.name}`,
          one.sources?.[0]?.fileName ?? "",
        ]);
      }),
    ),
  );
}

/**
 * @param {string} module
 * @param {string} kind
 * @param {string} source
 * @returns {readonly [file: string, title: string]}
 */
function topicOf(module, kind, source) {
  const own = topics[module];
  const found =
    own?.find(([, , places]) => places.test(source)) ??
    (own === undefined ? kinds.find(([, , folders]) => folders.has(kind)) : undefined);
  if (found === undefined) throw new Error(`Give ${source || kind} of ${module} a topic in shared-pages.mjs.`);
  return [found[0], found[1]];
}

/**
 * Every error has the members of its base class, which are on the page of that class.
 *
 * @param {string} text
 */
function withoutInheritedErrors(text) {
  if (!/^## Extends\n\n- \[`BailiwickError`\]/m.test(text)) return text;
  return text
    .split(/^(?=#{2,3} )/m)
    .filter((section) => !/^#### Inherited from\n\n\[`BailiwickError`\]/m.test(section))
    .join("")
    .replace(/^#### Overrides\n\n.*\n\n?/gm, "")
    .replace(/^## (?:Accessors|Methods)\n\n(?=## |$(?![\s\S]))/gm, "");
}

/**
 * @param {string} page
 * @param {readonly (readonly [path: string, entry: SharedExport])[]} entries
 * @param {ReadonlyMap<string, SharedExport>} shared
 * @param {(path: string) => string} read
 */
function sharedPage(page, entries, shared, read) {
  const module = posix.dirname(page);
  const heading = /^# (.+)$/m.exec(read(`${module}/index.md`))?.[1] ?? module;
  const sorted = entries.toSorted(([, a], [, b]) => a.name.localeCompare(b.name, "en"));
  const title = entries[0]?.[1].title ?? "";
  const up = "../".repeat(module.split("/").length);
  const sections = sorted.map(([path, { name, text }]) => sectionOf(name, relinked(text, path, page, shared)));
  return [
    "---",
    `description: "${heading}, ${title.toLowerCase()}: ${sorted.length} small exports with their members."`,
    "outline: 2",
    "shared: true",
    "---",
    "",
    `[API reference](${up}index.md) / [${heading}](index.md) / ${title}`,
    "",
    `# ${title} of ${heading}`,
    "",
    ...sections,
  ].join("\n");
}

/**
 * The anchors of an export's page.
 *
 * @param {string} text
 */
function anchorsOf(text) {
  return new Set([
    ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id),
    ...[...text.matchAll(/^#{2,5} (.+)$/gm)].map(([, heading = ""]) => slugOf(heading)),
  ]);
}

/** @param {string} heading */
function slugOf(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

/**
 * The page of an export as a section of a shared page. Its anchors begin with its name.
 *
 * @param {string} name
 * @param {string} text
 */
function sectionOf(name, text) {
  const [, title = name, body = ""] = /^# (.+)\n([\s\S]*)$/m.exec(text) ?? [];
  /** @type {Map<string, number>} */
  const used = new Map();
  const inCode = /^```[\s\S]*?^```$/gm;
  const blocks = body.match(inCode) ?? [];
  const demoted = body
    .split(inCode)
    .map((part) =>
      part
        .replace(/^\*\*\*\n\n?/gm, "")
        // A table of properties is recognized by its columns.
        .replace(/^## (?:Properties|Type Parameters?)\n\n/gm, "")
        .replace(/^(#{2,5}) (.+)$/gm, (_, marks, heading) => {
          const slug = slugOf(String(heading));
          const count = used.get(slug) ?? 0;
          used.set(slug, count + 1);
          return `${marks}# ${heading} {#${name}-${slug}${count === 0 ? "" : `-${count}`}}`;
        })
        .replace(/<a id="([^"]+)">/g, (_, id) => `<a id="${name}-${id}">`),
    )
    .map((part, index) => part + (blocks[index] ?? ""))
    .join("");
  return `## ${title} {#${name}}\n${demoted.trimEnd()}\n`;
}

/**
 * Corrects the links of a page for its new place, and those to exports that share a page.
 *
 * @param {string} text
 * @param {string} from where the page was
 * @param {string} to where it is
 * @param {ReadonlyMap<string, SharedExport>} shared
 */
function relinked(text, from, to, shared) {
  return text.replace(/\]\(([^)#\s:]*\.md)?(#[^)\s]*)?\)/g, (link, path, anchor = "") => {
    if (path === undefined ? !shared.has(from) || anchor === "" : path.startsWith("/")) return link;
    const target = path === undefined ? from : posix.join(posix.dirname(from), path);
    const entry = shared.get(target);
    // A member that only the page of the base class has: the link leads to the export itself.
    const member = entry !== undefined && anchorsOf(entry.text).has(anchor.slice(1)) ? anchor.replace("#", "-") : "";
    const fragment = entry === undefined ? anchor : `#${entry.name}${member}`;
    const page = entry?.page ?? target;
    return `](${page === to ? "" : posix.relative(posix.dirname(to), page)}${fragment})`;
  });
}

/**
 * Lists the shared pages of an entry point on its page.
 *
 * @param {string} text
 * @param {string} path
 * @param {ReadonlyMap<string, readonly (readonly [path: string, entry: SharedExport])[]>} pages
 */
function withTopics(text, path, pages) {
  const links = [...pages]
    .filter(([page]) => posix.dirname(page) === posix.dirname(path))
    .map(([page, [first]]) => `[${first?.[1].title}](${posix.basename(page)})`);
  if (links.length === 0) return text;
  const at = text.search(/^## (?:Classes|Functions|Interfaces|Type Aliases|Variables)$/m);
  return `${text.slice(0, at)}Small exports share a page: ${links.join(" · ")}.\n\n${text.slice(at)}`;
}
