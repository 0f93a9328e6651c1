import { parseSync } from "oxc-parser";

/**
 * One edit of a source text.
 *
 * @typedef {{ index: number, at: number, line: number, what: string, text: string }} Mutant
 */

/** @typedef {{ type: string, start: number, end: number } & Record<string, any>} Node */

/**
 * Begins a comment above a statement that only makes the policy faster. Its edits do not count as survivors, and the
 * comment gives the reason.
 */
const onlySpeed = /^ (?:Fast path|A cache): /u;

/**
 * The edits of a source text: each branch, guard, condition, rule of a list, filter and statement left out in turn, and
 * each limit moved by one.
 *
 * @param {string} source - TypeScript.
 * @param {object} [options]
 * @param {boolean} [options.numbers] - Also moves comparisons with a number or an expression, and each number from 2, by
 *   one. Default: only comparisons with a named limit.
 * @returns {Mutant[]}
 */
export function mutantsOf(source, { numbers = false } = {}) {
  /** @type {Mutant[]} */
  const found = [];
  const texts = new Set([source]);
  /** @type {(node: Node, what: string, replacement: string) => void} */
  const edit = (node, what, replacement) => {
    const text = source.slice(0, node.start) + replacement + source.slice(node.end);
    // Two operators may make the same edit.
    if (texts.has(text)) return;
    texts.add(text);
    const line = source.slice(0, node.start).split("\n").length;
    found.push({
      index: found.length,
      at: node.start,
      line,
      what: `${what}: ${short(source.slice(node.start, node.end))}`,
      text,
    });
  };
  const { program, errors, comments } = parseSync("policy.ts", source);
  if (errors.length > 0) throw new Error(`The source does not parse: ${errors[0]?.message}`);
  const passed = new Set(
    comments.filter(({ value }) => onlySpeed.test(value)).map(({ end }) => end + spaceAfter(source, end)),
  );
  visit(/** @type {any} */ (program), passed, (node) => editsOf(node, source, edit, numbers));
  return found;
}

/**
 * @param {Node} node
 * @param {string} source
 * @param {(node: Node, what: string, replacement: string) => void} edit
 * @param {boolean} numbers
 */
function editsOf(node, source, edit, numbers) {
  /** @type {(part: Node) => string} */
  const textOf = (part) => source.slice(part.start, part.end);
  switch (node.type) {
    case "IfStatement":
      edit(node["test"], "branch never taken", "false");
      if (node["alternate"] !== null) edit(node["test"], "branch always taken", "true");
      return;
    case "ConditionalExpression":
      edit(node, "always the first of", textOf(node["consequent"]));
      edit(node, "always the second of", textOf(node["alternate"]));
      return;
    case "LogicalExpression":
      if (node["operator"] === "??") {
        edit(node, "no default in", textOf(node["left"]));
        return;
      }
      edit(node, "without its second condition", `(${textOf(node["left"])})`);
      edit(node, "without its first condition", `(${textOf(node["right"])})`);
      return;
    case "BinaryExpression": {
      const moved = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" }[/** @type {string} */ (node["operator"])];
      // Named limits; an inline number is the limit of an index or a count.
      if (moved !== undefined && (numbers || node["right"].type === "Identifier"))
        edit(node, "limit moved by one", `${textOf(node["left"])} ${moved} ${textOf(node["right"])}`);
      return;
    }
    case "Literal":
      if (numbers && typeof node["value"] === "number" && node["value"] >= 2)
        edit(node, "number moved by one", String(node["value"] + 1));
      return;
    case "ExpressionStatement":
      edit(node, "left out", ";");
      return;
    case "SwitchCase":
      if (node["test"] !== null) edit({ ...node, end: labelEnd(node, source) }, "case left out", "");
      return;
    case "SpreadElement":
      edit({ ...node, end: node.end + (source[node.end] === "," ? 1 : 0) }, "left out of the list", "");
      return;
    case "CallExpression":
      editCall(node, textOf, edit);
      return;
    default:
  }
}

/** @type {(node: Node, textOf: (part: Node) => string, edit: (node: Node, what: string, replacement: string) => void) => void} */
function editCall(node, textOf, edit) {
  const callee = /** @type {Node} */ (node["callee"]);
  if (callee.type !== "MemberExpression" || callee["computed"] === true) return;
  switch (callee["property"].name) {
    case "filter":
      edit(node, "filter left out", textOf(callee["object"]));
      return;
    case "some":
    case "every":
      edit(node, "always true", "true");
      edit(node, "always false", "false");
      return;
    default:
  }
}

/** @type {(source: string, at: number) => number} */
function spaceAfter(source, at) {
  return /^\s*/u.exec(source.slice(at))?.[0].length ?? 0;
}

/** The end of `case …:`. @type {(node: Node, source: string) => number} */
function labelEnd(node, source) {
  return source.indexOf(":", node["test"].end) + 1;
}

/** @type {(text: string) => string} */
function short(text) {
  const line = text.replaceAll(/\s+/gu, " ");
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}

/**
 * Visits the nodes that decide. Texts of errors and explanations are not decisions: templates, and arguments of `new
 * …Error(…)`, are skipped.
 *
 * @param {Node} node
 * @param {ReadonlySet<number>} passed - Where statements start that are left alone too.
 * @param {(node: Node) => void} on
 */
function visit(node, passed, on) {
  if (node.type.endsWith("Statement") && passed.has(node.start)) return;
  if (node.type === "TemplateLiteral" || (node.type.startsWith("TS") && node["expression"] === undefined)) return;
  if (node.type === "NewExpression" && String(node["callee"].name).endsWith("Error")) return;
  on(node);
  for (const part of Object.values(node)) {
    for (const each of Array.isArray(part) ? part : [part])
      if (typeof each === "object" && each !== null && typeof each.type === "string") visit(each, passed, on);
  }
}
