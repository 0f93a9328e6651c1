import { readFileSync } from "node:fs";

/**
 * Adapts a page of TypeDoc to the site: removes the line that names the source, because the site has no page for it,
 * names entry points as code imports them, and writes the anchors of members in VitePress's form. A title is a name
 * without type parameters, signatures are broken at their parameters, and the table of type parameters is the last
 * section.
 *
 * @param {string} markdown
 * @param {string} path the page's path below the folder of the reference
 * @param {readonly import("./option-list.mjs").OptionPage[]} optionPages
 * @returns {string}
 */
export function adaptReferencePage(markdown, path, optionPages) {
  const pack = `@bailiwick/${path.split("/")[0]}`;
  const fitted = markdown
    .replace(/^Defined in: .*\n\n?/gm, "")
    .replace(/^# main$/m, `# ${pack}`)
    .replace(
      /^# (code-mode|conformance|declare|extension|graph|model-server|net|ollama|provider|server|store|zod3)$/m,
      `# ${pack}/$1`,
    )
    .replace(/\[main\]\(((?:\.\.\/)*(?:main\/)?index\.md)\)/g, `[${pack}]($1)`)
    .replace(/^(\| )\[([\w-]+)\]\(([\w-]+\/index\.md)\)/gm, `$1[${pack}/$2]($3)`)
    .replace(/^(\[API reference\].*) \/ main$/m, "$1")
    // The main entry point of a package has the package's name, so that its page is the one to link to.
    .replace(/^(\[API reference\]\([^)]*\)) \/ (\[@bailiwick\/[\w-]+\])\([^)]*\) \/ \2/m, "$1 / $2")
    .replace(/^# ([^\n]+)$/m, (_, title) => `# ${titleOf(String(title))}`)
    .replace(/<a id="([^"]+)">/g, (_, id) => `<a id="${String(id).replaceAll("_", "-")}">`)
    .replace(/^(\|.*) \| - \|$/gm, "$1 |  |")
    .replace(/^```ts\n([^\n]{80,})\n```$/gm, (_, line) => `\`\`\`ts\n${brokenSignature(String(line))}\n\`\`\``);
  return `${typeParametersLast(fitted).trimEnd()}\n${seeAlso(path, optionPages)}`;
}

/**
 * A title without type parameters: `Agent\<Tools extends …\>` is `Agent`.
 *
 * @param {string} title
 */
function titleOf(title) {
  const cut = title.indexOf("\\<");
  return cut <= 0 ? title : `${title.slice(0, cut)}${title.endsWith("()") ? "()" : ""}`;
}

/**
 * Writes a signature without the type parameters of its name, which have a table, and with a line for each parameter if
 * it is long.
 *
 * @param {string} line
 */
function brokenSignature(line) {
  const head = /^(?:function |new |abstract )*[\w.]+/.exec(line)?.[0] ?? "";
  const rest = line.slice(head.length);
  const short = head === "" || !rest.startsWith("<") ? line : head + rest.slice(closing(rest, 0) + 1);
  const open = short.indexOf("(");
  if (short.length <= 90 || open === -1) return short;
  const close = closing(short, open);
  const parameters = splitAtCommas(short.slice(open + 1, close));
  return `${short.slice(0, open + 1)}\n${parameters.map((one) => `  ${one.trim()},`).join("\n")}\n${short.slice(close)}`;
}

/**
 * The index of the bracket that closes the one at `open`. The `>` of an arrow is not a bracket.
 *
 * @param {string} text
 * @param {number} open
 */
function closing(text, open) {
  let depth = 0;
  for (let index = open; index < text.length; index += 1) {
    if ("<([{".includes(text.charAt(index))) depth += 1;
    else if (")]}".includes(text.charAt(index)) || (text.charAt(index) === ">" && text.charAt(index - 1) !== "="))
      depth -= 1;
    if (depth === 0) return index;
  }
  return text.length - 1;
}

/** @param {string} text */
function splitAtCommas(text) {
  /** @type {string[]} */
  const parts = [];
  let begin = 0;
  for (let index = 0; index < text.length; index += 1) {
    if ("<([{".includes(text.charAt(index))) index = closing(text, index);
    else if (text.charAt(index) === ",") {
      parts.push(text.slice(begin, index));
      begin = index + 1;
    }
  }
  return [...parts, text.slice(begin)].filter((part) => part.trim() !== "");
}

/**
 * Moves the section of type parameters to the end: users look for properties and examples first.
 *
 * @param {string} markdown
 */
function typeParametersLast(markdown) {
  const section = /^## Type Parameters?\n[\s\S]*?(?=^## |(?![\s\S]))/m.exec(markdown)?.[0];
  if (section === undefined) return markdown;
  return `${markdown.replace(section, "").trimEnd()}\n\n${section}`;
}

/**
 * Links from a function or a type to its options and its guide.
 *
 * @param {string} path
 * @param {readonly import("./option-list.mjs").OptionPage[]} optionPages
 */
function seeAlso(path, optionPages) {
  const name = path.slice(path.lastIndexOf("/") + 1, -".md".length);
  const up = "../".repeat(path.split("/").length);
  const found = optionPages.find(
    ({ of, type, module }) => path.startsWith(`${module}/`) && (type === name || of === `${module}:${name}`),
  );
  const page = found ?? (path === "agent/main/classes/Agent.md" ? optionPages[0] : undefined);
  if (page === undefined) return "";
  return `\n## See also\n\n- Options: [${page.title}](${up}options/${page.slug}.md)\n- [Guide](${up}${page.guide}.md)\n`;
}

/**
 * The source that a page of TypeDoc documents.
 *
 * @param {string} markdown
 * @returns {string | undefined}
 */
export function sourceOf(markdown) {
  return /^Defined in: (\S+)/m.exec(markdown)?.[1];
}

/**
 * Lists the exports of the facade by topic, with links to where each is documented. The topics are the comments that
 * group the exports in the index of the facade.
 *
 * @param {string} index the source of the facade's index
 * @param {(name: string) => string | undefined} pageOf the page of an export, relative to the facade's page
 * @param {(name: string) => string} summaryOf
 * @returns {string}
 */
export function topicsOf(index, pageOf, summaryOf) {
  /** @type {string[]} */
  const lines = [];
  let topic = "Agents";
  /** @type {Map<string, string[]>} */
  const topics = new Map();
  for (const [, comment, names] of index.matchAll(/^\/\/ (.+)$|^export (?:type )?\{([^}]*)\}/gm)) {
    if (comment !== undefined) topic = comment;
    for (const name of (names ?? "").split(",").map((one) => one.replace(/^\s*type /, "").trim())) {
      if (name === "") continue;
      const rows = topics.get(topic) ?? [];
      const page = pageOf(name);
      if (page !== undefined) rows.push(`| [${name}](${page}) | ${summaryOf(name)} |`);
      topics.set(topic, rows);
    }
  }
  for (const [title, rows] of topics)
    if (rows.length > 0) lines.push(`## ${title}`, "", "| export | meaning |", "| --- | --- |", ...rows, "");
  return lines.join("\n");
}

/**
 * The packages of the index by topic.
 *
 * @type {readonly (readonly [topic: string, packages: readonly string[]])[]}
 */
const packageTopics = [
  [
    "Write agents",
    [
      "@bailiwick/agent",
      "@bailiwick/compose",
      "@bailiwick/memory",
      "@bailiwick/skills",
      "@bailiwick/mcp",
      "@bailiwick/workspace",
    ],
  ],
  [
    "Models",
    [
      "@bailiwick/providers-openai",
      "@bailiwick/providers-anthropic",
      "@bailiwick/providers-google",
      "@bailiwick/providers-ai-sdk",
      "@bailiwick/fetch-node",
    ],
  ],
  [
    "Stores and workers",
    [
      "@bailiwick/store-sqlite",
      "@bailiwick/store-postgres",
      "@bailiwick/store-durable-objects",
      "@bailiwick/worker",
      "@bailiwick/restate",
    ],
  ],
  ["Pages and protocols", ["@bailiwick/server", "@bailiwick/react", "@bailiwick/studio"]],
  ["Test and observe", ["@bailiwick/testing", "@bailiwick/evals", "@bailiwick/otel", "bailiwick"]],
  ["For authors of providers, stores and extensions", ["@bailiwick/core", "@bailiwick/security"]],
];

/**
 * The first page of the reference: the exports that most users need, and the packages by topic.
 *
 * @param {any} project the JSON of TypeDoc
 * @returns {string}
 */
export function referenceIndex(project) {
  const packages = new Set(project.children.map((/** @type {any} */ pack) => String(pack.name)));
  const topics = packageTopics.flatMap(([, names]) => names);
  const lost = [...packages].filter((name) => !topics.includes(name));
  if (lost.length > 0) throw new Error(`Give these packages a topic in reference-page.mjs: ${lost.join(", ")}`);
  return [
    "---",
    "description: The public functions, classes and types of each package, by topic.",
    "---",
    "",
    "# API reference",
    "",
    "Most applications import from `@bailiwick/agent`, a provider and a store. Start with one of these:",
    "",
    "| export | meaning |",
    "| --- | --- |",
    "| [Agent](agent/main/classes/Agent.md) | the class, with `run`, `stream`, `resume` and its other methods |",
    "| [AgentOptions](core/main/interfaces/AgentOptions.md), [RunOptions](core/main/interfaces/RunOptions.md) | the options of an agent and of a run |",
    "| [tool()](core/main/functions/tool.md), [ToolExecutionContext](core/main/interfaces/ToolExecutionContext.md) | a tool, and the second parameter of `execute` |",
    "| [RunOutput](core/main/interfaces/RunOutputOf.md) | the result of `run()` and `resume()` |",
    "| [Interruption](core/main/interfaces/Interruption.md) | a question to a person |",
    "| [events and records](../events/index.md), [errors](../errors/index.md) | the events of a stream, and the codes of errors |",
    "",
    ...packageTopics.flatMap(([topic, names]) => [
      `## ${topic}`,
      "",
      "| package | content |",
      "| --- | --- |",
      ...names.map((name) => {
        const folder = name.replace("@bailiwick/", "");
        const manifest = JSON.parse(
          readFileSync(new URL(`../../packages/${packageFolder(folder)}/package.json`, import.meta.url), "utf8"),
        );
        return `| [${name}](${folder}/index.md) | ${manifest.description} |`;
      }),
      "",
    ]),
  ].join("\n");
}

/** @param {string} name */
const packageFolder = (name) => (name === "bailiwick" ? "cli" : name);
