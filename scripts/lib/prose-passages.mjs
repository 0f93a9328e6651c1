// Finds the sentences that people read: in pages, comments, test titles and strings.
import { parseSync } from "oxc-parser";

/**
 * @typedef {object} Passage
 * @property {import("./prose-rules.mjs").ProseKind} kind
 * @property {string} text without code, on one line
 * @property {number} line from 1
 */

/** Functions of a test file whose first argument is a title. */
const titled = new Set(["test", "it", "describe", "bench"]);

/** Comments for tools. */
const directive = /^(?:\s*(?:@ts-|oxlint-|eslint-|v8 |c8 |#|@vitest|@__|\/ <|! |runs\b))/;

/**
 * @param {string} path
 * @param {string} text
 * @returns {Passage[]}
 */
export function passagesOf(path, text) {
  return path.endsWith(".md") ? ofMarkdown(text) : ofSource(path, text);
}

/**
 * @param {string} text
 * @returns {Passage[]}
 */
function ofMarkdown(text) {
  /** @type {Passage[]} */
  const passages = [];
  /** @type {string | undefined} */
  let fence;
  for (const [index, line] of text.split("\n").entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) {
      fence = undefined;
      continue;
    }
    if (fence !== undefined || /^\s*<!--.*-->\s*$/.test(line)) continue;
    const heading = /^#{1,6}\s+(.*)$/.exec(line);
    const plain = withoutCode(heading?.[1] ?? line);
    if (plain !== "") passages.push({ kind: heading === null ? "text" : "heading", text: plain, line: index + 1 });
  }
  return passages;
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {Passage[]}
 */
function ofSource(path, text) {
  const { program, comments } = parseSync(path, text);
  const lineOf = lineFinder(text);
  /** @type {Passage[]} */
  const passages = commentsOf(comments, text).map(({ value, start }) => ({
    kind: "comment",
    text: withoutCode(value.replace(/^\s*```[\s\S]*?^\s*```/gm, "")),
    line: lineOf(start),
  }));
  walk(program, (node, parent) => {
    const string = textOfNode(node);
    if (string === undefined || parent?.type === "ImportDeclaration") return;
    const isTitle = /\.test(?:-d)?\.\w+$/.test(path) && isTitleOf(node, parent);
    const plain = withoutCode(string);
    if (isTitle || plain.split(" ").length > 2)
      passages.push({ kind: isTitle ? "title" : "message", text: plain, line: lineOf(node.start) });
  });
  return passages.filter((passage) => passage.text !== "");
}

/**
 * Comments without their marks; lines of `//` that follow each other are one comment.
 *
 * @param {readonly import("oxc-parser").Comment[]} comments
 * @param {string} source
 */
function commentsOf(comments, source) {
  /** @type {{ value: string, start: number, end: number, line: boolean }[]} */
  const found = [];
  for (const { type, value, start, end } of comments) {
    if (directive.test(value)) continue;
    const before = found.at(-1);
    const line = type === "Line";
    if (
      line &&
      before?.line &&
      /^\s*$/.test(source.slice(before.end, start)) &&
      !/\n\s*\n/.test(source.slice(before.end, start))
    ) {
      before.value += ` ${value}`;
      before.end = end;
    } else {
      const body = line ? value : value.replace(/^\*/, "").replace(/^\s*\*(?!\/) ?/gm, "");
      found.push({ value: body, start, end, line });
    }
  }
  return found;
}

/**
 * @param {any} node
 * @returns {string | undefined}
 */
function textOfNode(node) {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type === "JSXText") return node.value;
  if (node.type === "TemplateLiteral")
    return node.quasis.map((/** @type {any} */ part) => part.value.cooked ?? "").join("x");
  return undefined;
}

/**
 * True for the title in `test("…")`, `describe.each(…)("…")` and the like.
 *
 * @param {any} node
 * @param {any} parent
 */
function isTitleOf(node, parent) {
  if (parent?.type !== "CallExpression" || parent.arguments[0] !== node) return false;
  let callee = parent.callee;
  while (callee !== undefined && callee.type !== "Identifier")
    callee =
      callee.type === "CallExpression" || callee.type === "TaggedTemplateExpression"
        ? (callee.callee ?? callee.tag)
        : callee.object;
  return callee !== undefined && titled.has(callee.name);
}

/**
 * @param {any} node
 * @param {(node: any, parent: any) => void} visit
 * @param {any} [parent]
 */
function walk(node, visit, parent) {
  visit(node, parent);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child === "object" && child !== null && typeof child.type === "string") walk(child, visit, node);
  }
}

/**
 * @param {string} text
 */
function withoutCode(text) {
  return text
    .replace(/`[^`]*`/g, "x")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/\{@\w+[^}]*\}/g, "x")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * @param {string} text
 * @returns {(offset: number) => number}
 */
function lineFinder(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
