// Writes a page of options for each function that takes them, from the model of the API that TypeDoc made.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { optionPagesOf } from "./option-list.mjs";
import { commentOf, modulesOf } from "./reference-gaps.mjs";
import { functionText, markdownOfComment, membersOf, typeText } from "./typedoc-text.mjs";

/** The names that the facade exports. */
const facade = new Set(
  [
    ...readFileSync(new URL("../../packages/agent/src/index.ts", import.meta.url), "utf8").matchAll(
      /^export (?:type )?\{([^}]*)\}/gm,
    ),
  ].flatMap(([, names = ""]) => names.split(",").map((name) => name.trim())),
);

/** The version in which today's options were first published. */
const firstVersion = "0.1.0";

/**
 * Writes the pages, and an index that lists every option by name.
 *
 * @param {any} project the JSON of TypeDoc
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} merges how a run's value of an option joins the agent's, by the option's name
 * @returns {string[]} the problems: an interface that is gone, an option without a description
 */
export function writeOptionPages(project, folder, merges) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const problems = [];
  /** @type {{ name: string, page: string, title: string, about: string }[]} */
  const names = [];
  const pages = optionPagesOf(project);
  for (const page of pages) {
    const type = exportOf(project, page.module, page.type);
    if (type === undefined) {
      problems.push(`options/${page.slug}: ${page.module} exports no ${page.type}`);
      continue;
    }
    const rows = membersOf(type)
      .filter((member) => typeText(member.type) !== "undefined")
      .map(rowOf)
      // Users need the required ones first.
      .toSorted((a, b) => Number(a.isOptional) - Number(b.isOptional));
    for (const { name, about } of rows) {
      if (about === "") problems.push(`options/${page.slug}: the option "${name}" of ${page.type} has no doc comment`);
      names.push({ name, page: page.slug, title: page.title, about });
    }
    if (page.of !== "" && exampleOf(project, page.of) === "")
      problems.push(`options/${page.slug}: ${page.of} has no example, or is not exported`);
    // Functions with several kinds of options have an example at each.
    const example = exampleOf(project, `${page.module}:${page.type}`) || exampleOf(project, page.of);
    writeFileSync(join(folder, `${page.slug}.md`), textOf(page, type, rows, example, merges));
  }
  writeFileSync(join(folder, "index.md"), indexOf(names, pages));
  return problems;
}

/**
 * @param {any} project
 * @param {string} module
 * @param {string} name
 */
function exportOf(project, module, name) {
  const [packageName, entryPoint] = module.split("/");
  const pack = project.children.find((/** @type {any} */ one) => one.name === `@bailiwick/${packageName}`);
  if (pack === undefined) return undefined;
  const found = modulesOf(pack).find((/** @type {any} */ one) => entryPoint === undefined || one.name === entryPoint);
  return found?.children?.find((/** @type {any} */ one) => one.name === name);
}

/** @param {any} member */
function rowOf(member) {
  const signature = member.signatures?.[0] ?? member.type?.declaration?.signatures?.[0];
  const about = markdownOfComment(member.comment ?? signature?.comment);
  return {
    name: String(member.name),
    isOptional: Boolean(member.flags?.isOptional),
    type: member.signatures === undefined ? typeText(member.type) : functionText(member.signatures[0]),
    about,
    ...factsIn(about),
  };
}

/** Maximum length of a default in its column, in characters. */
const longestDefault = 60;

/**
 * The default and the unit that a doc comment names.
 *
 * @param {string} about
 */
function factsIn(about) {
  // Up to the end of the clause; a longer text stays in the description.
  const clause =
    /(?:^|[.;,(] )(?:by )?[Dd]efaults?(?: is| to|:)? ((?:`[^`]*`|\.(?=\d)|[^.;`])+)/u.exec(about)?.[1]?.trim() ?? "";
  const fallback = clause.length > longestDefault ? "" : clause;
  const unit = /\b(milliseconds|seconds|minutes|days|bytes|tokens|characters|US dollars|mebibytes|megabytes)\b/u.exec(
    about,
  )?.[1];
  return { fallback, unit: unit ?? "" };
}

/**
 * @param {any} project
 * @param {string} of
 */
function exampleOf(project, of) {
  const [module = "", name = ""] = of.split(":");
  if (name === "") return "";
  const tags = commentOf(exportOf(project, module, name) ?? {})?.blockTags ?? [];
  const example = tags.find((/** @type {any} */ tag) => tag.tag === "@example");
  /** @type {string} */
  const text = (example?.content ?? []).map((/** @type {any} */ part) => part.text).join("");
  // Applications import from the facade if it has the name.
  return text.replace(/^(import (?:type )?\{([^}]*)\} from) "@bailiwick\/core";$/gm, (line, head, names) =>
    names.split(",").every((/** @type {string} */ name) => facade.has(name.replace("type ", "").trim()))
      ? `${head} "@bailiwick/agent";`
      : line,
  );
}

/**
 * @param {import("./option-list.mjs").OptionPage} page
 * @param {any} type
 * @param {readonly ReturnType<typeof rowOf>[]} rows
 * @param {string} example
 * @param {ReadonlyMap<string, string>} merges
 */
function textOf(page, type, rows, example, merges) {
  const about = markdownOfComment(commentOf(type)) || `Options of \`${page.title}\`.`;
  const isShared = page.slug === "agent" || page.slug === "run";
  const cells = rows.map(({ name, type: text, isOptional, fallback, unit, about: meaning }) =>
    [
      `<a id="${name.toLowerCase()}"></a>\`${name}\`${isOptional ? "" : " (required)"}`,
      cell(meaning),
      `${code(text)}${unit === "" ? "" : `, ${unit}`}`,
      cell(fallback),
      ...(isShared ? [merges.get(name) ?? ""] : []),
    ].join(" | "),
  );
  return [
    "---",
    `description: Every option of ${page.title} with type, default and unit.`,
    "---",
    "",
    `# Options: ${page.title}`,
    "",
    about,
    "",
    ...(example === "" ? [] : ["## Example", "", example.trim(), ""]),
    "## Options",
    "",
    `| option | meaning | type | default |${isShared ? " merge |" : ""}`,
    `| --- | --- | --- | --- |${isShared ? " --- |" : ""}`,
    ...cells.map((row) => `| ${row} |`),
    "",
    `Since ${firstVersion}.`,
    "",
    isShared
      ? "`merge` says how a run's value joins the agent's: [Options](../guides/options.md) explains the rules, and what runs inside inherit."
      : "A name that is not listed throws `UNKNOWN_OPTION` where the function checks its options, and suggests the nearest one.",
    "",
    `Guide: [how to use it](../${page.guide}.md). All options by name: [index](./index.md).`,
    "",
  ].join("\n");
}

/**
 * @param {readonly { name: string, page: string, title: string, about: string }[]} names
 * @param {readonly import("./option-list.mjs").OptionPage[]} pages
 */
function indexOf(names, pages) {
  const sorted = names.toSorted((a, b) => a.name.localeCompare(b.name, "en") || a.page.localeCompare(b.page, "en"));
  return [
    "---",
    "description: A page of options for each function, and an index of all options by name.",
    "---",
    "",
    "# Options of each function",
    "",
    "Each function has a page with all of its options: meaning, type, default, and an example. How options of an agent and of a run join: [Options](../guides/options.md).",
    "",
    ...[...new Set(pages.map(({ topic }) => topic))].flatMap((topic) => [
      `## ${topic}`,
      "",
      pages
        .filter((page) => page.topic === topic)
        .map(({ slug, title }) => `[${title}](./${slug}.md)`)
        .join(" · "),
      "",
    ]),
    "## All options by name",
    "",
    "| option | of |",
    "| --- | --- |",
    ...sorted.map(({ name, page, title }) => `| [\`${name}\`](./${page}.md#${name.toLowerCase()}) | ${title} |`),
    "",
  ].join("\n");
}

/** @param {string} text */
const cell = (text) => text.replaceAll(/\s+/gu, " ").replaceAll(/(?<!\\)\|/gu, "\\|");

/** @param {string} text */
const code = (text) => `\`${text.replaceAll("|", "\\|")}\``;
