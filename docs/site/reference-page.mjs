/**
 * Fits a page of TypeDoc to the site: removes the line that names the source, since the site has no page to link to,
 * names entry points as code imports them, and writes the anchors of members as VitePress writes the links to them.
 *
 * @param {string} markdown
 * @param {string} path the page's path below the folder of the reference
 * @returns {string}
 */
export function adaptReferencePage(markdown, path) {
  const pack = `@bailiwick/${path.split("/")[0]}`;
  return markdown
    .replace(/^Defined in: .*\n\n?/gm, "")
    .replace(/^# main$/m, `# ${pack}`)
    .replace(/^# (code-mode|compose|extension|provider|store|server|net|conformance|model-server)$/m, `# ${pack}/$1`)
    .replace(/\[main\]\(((?:\.\.\/)*(?:main\/)?index\.md)\)/g, `[${pack}]($1)`)
    .replace(/^(\| )\[([\w-]+)\]\(([\w-]+\/index\.md)\)/gm, `$1[${pack}/$2]($3)`)
    .replace(/^(\[API reference\].*) \/ main$/m, "$1")
    .replace(/<a id="([^"]+)">/g, (_, id) => `<a id="${String(id).replaceAll("_", "-")}">`);
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
