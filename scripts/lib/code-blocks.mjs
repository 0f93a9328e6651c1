// Finds the code that the documentation shows.

/**
 * @typedef {object} CodeBlock
 * @property {string} file The page or source file, relative to the root.
 * @property {number} line The line of its first code line, from 1.
 * @property {string} code
 * @property {"ts" | "tsx"} language
 * @property {string | undefined} name The name under which the page's other blocks import it: `<!-- file: name.ts -->` is
 * before it.
 * @property {boolean} runs True for a block that is executed: `<!-- runs -->` or `<!-- killed -->` is before it.
 * @property {boolean} isKilled True if its first process must end by SIGKILL; a second one then completes:
 * `<!-- killed -->` is before it.
 * @property {readonly string[]} beside Names of the page's other blocks whose processes run beside it:
 * `<!-- beside: server.ts, worker.ts -->` is before it.
 * @property {Readonly<Record<string, string>>} files Files of its working folder, by path: the page's blocks of other
 * languages before it with `<!-- file: notes/rules.md -->` before them.
 * @property {readonly string[]} prints Lines that it prints, in order: the comments behind its `console.log` calls, where
 * `<!-- prints -->` is before it.
 * @property {unknown} model What the scripted model says when it runs: the JSON of a `<!-- model: … -->` before it.
 */

/**
 * The `ts` and `tsx` blocks of a Markdown page.
 *
 * @param {string} file
 * @param {string} text
 * @returns {CodeBlock[]}
 */
export function blocksOfMarkdown(file, text) {
  /** @type {CodeBlock[]} */
  const blocks = [];
  /** @type {string | undefined} */
  let model;
  let isChecked = false;
  let runs = false;
  let isKilled = false;
  /** @type {readonly string[]} */
  let beside = [];
  /** @type {string | undefined} */
  let name;
  /** @type {string | undefined} */
  let path;
  /** @type {Readonly<Record<string, string>>} */
  let files = {};
  /** @type {{ indent: string, fence: string, language: string, line: number, code: string[] } | undefined} */
  let open;
  for (const [index, line] of text.split("\n").entries()) {
    if (open === undefined) {
      const comment = /^\s*<!--\s*model:\s*(.*?)\s*-->\s*$/.exec(line);
      if (comment) model = comment[1];
      if (/^\s*<!--\s*prints\s*-->\s*$/.test(line)) isChecked = true;
      if (/^\s*<!--\s*(?:runs|killed)\s*-->\s*$/.test(line)) runs = true;
      if (/^\s*<!--\s*killed\s*-->\s*$/.test(line)) isKilled = true;
      beside = /^\s*<!--\s*beside:\s*(.*?)\s*-->\s*$/.exec(line)?.[1]?.split(/,\s*/) ?? beside;
      path = /^\s*<!--\s*file:\s*([\w./-]+)\s*-->\s*$/.exec(line)?.[1] ?? path;
      name = /^[\w.-]+\.tsx?$/.exec(path ?? "")?.[0];
      const fence = /^(\s*)(`{3,}|~{3,})\s*([\w-]*)/.exec(line);
      if (fence)
        open = { indent: fence[1] ?? "", fence: fence[2] ?? "", language: fence[3] ?? "", line: index + 2, code: [] };
    } else if (line.trim().startsWith(open.fence) && line.trim().replace(/[`~]/g, "") === "") {
      if (open.language === "ts" || open.language === "tsx") {
        const said = runs ? parseModel(model, file, open.line) : undefined;
        const { line: first, code, language } = open;
        const prints = isChecked ? code.flatMap((one) => /\bconsole\.log\(.*\); \/\/ (.+)$/.exec(one)?.[1] ?? []) : [];
        blocks.push({
          file,
          line: first,
          code: code.join("\n"),
          language,
          name,
          runs,
          isKilled,
          beside,
          files,
          prints,
          model: said,
        });
        name = undefined;
        model = undefined;
        isChecked = false;
        runs = false;
        isKilled = false;
        beside = [];
      } else if (path !== undefined) files = { ...files, [path]: `${open.code.join("\n")}\n` };
      path = undefined;
      open = undefined;
    } else open.code.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
  }
  return blocks;
}

/**
 * The blocks of a source file's doc comments.
 *
 * @param {string} file
 * @param {string} text
 * @returns {CodeBlock[]}
 */
export function blocksOfSource(file, text) {
  const lines = text.split("\n");
  let inside = false;
  // Lines outside doc comments become empty, so that line numbers stay.
  const page = lines.map((line) => {
    if (!inside) {
      inside = /^\s*\/\*\*(?!.*\*\/)/.test(line);
      return "";
    }
    if (line.includes("*/")) {
      inside = false;
      return "";
    }
    return line.replace(/^\s*\* ?/, "");
  });
  return blocksOfMarkdown(file, page.join("\n"));
}

/**
 * @param {string | undefined} text
 * @param {string} file
 * @param {number} line
 */
function parseModel(text, file, line) {
  if (text === undefined) return ["Done."];
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(
      `${file}:${line}: the model comment before this block is not JSON: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
}
