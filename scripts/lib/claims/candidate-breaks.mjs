/**
 * Edits that may remove a feature: in the functions that only the tests of a claim run, a branch that is never taken, a
 * value that is not read, an early return.
 */
import { parseSync } from "oxc-parser";

/** @typedef {{ type: string, start: number, end: number } & Record<string, any>} Node */
/** @typedef {"test" | "value" | "statement" | "spread" | "shorthand" | "body"} Kind */
/** @typedef {{ start: number, end: number, replacement: string, rank: number, kind: Kind }} Candidate */

/**
 * The edits within a file.
 *
 * @param {string} source - TypeScript.
 * @returns {Candidate[]}
 */
export function candidatesOf(source) {
  /** @type {Candidate[]} */
  const found = [];
  /** @type {Set<string>} */
  const places = new Set();
  const textOf = (/** @type {Node} */ node) => source.slice(node.start, node.end);
  /** @type {(node: { start: number, end: number }, replacement: string, rank?: number, kind?: Kind) => void} */
  const edit = ({ start, end }, replacement, rank = 1, kind = "value") => {
    const place = `${start}:${end}:${replacement}`;
    if (!places.has(place)) found.push({ start, end, replacement, rank, kind });
    places.add(place);
  };
  const { program, errors } = parseSync("module.ts", source);
  if (errors.length > 0) return [];
  /** @type {(node: Node, depth: number, parent: Node) => void} */
  const visit = (node, depth, parent) => {
    if (node.type === "TemplateLiteral" || node.type === "ObjectPattern") return;
    if (node.type.startsWith("TS") && node["expression"] === undefined) return;
    if (node.type === "NewExpression" && String(node["callee"].name).endsWith("Error")) return;
    const isFunction = node.type.endsWith("FunctionExpression") || node.type === "FunctionDeclaration";
    if (depth > 0) {
      switch (node.type) {
        case "IfStatement":
        case "ConditionalExpression":
          edit(node["test"], "false", 0, "test");
          if (node["alternate"] !== null) edit(node["test"], "true", 1, "test");
          break;
        case "LogicalExpression":
          if (node["operator"] === "??") edit(node, textOf(node["right"]), 2);
          else {
            edit(node, `(${textOf(node["left"])})`, 1);
            edit(node, `(${textOf(node["right"])})`, 1);
          }
          break;
        case "ExpressionStatement":
          if (
            node["expression"].callee?.type !== "Super" &&
            node["directive"] === undefined &&
            parent.type !== "ArrowFunctionExpression"
          )
            edit(node, ";", 1, "statement");
          break;
        case "SpreadElement":
          edit({ start: node.start, end: node.end + (source[node.end] === "," ? 1 : 0) }, "", 0, "spread");
          break;
        case "Property":
          if (node["shorthand"] === true) edit(node, `${textOf(node)}: undefined`, 2, "shorthand");
          else if (
            !["Literal", "AssignmentPattern", "ObjectPattern", "ArrayPattern"].includes(node["value"].type) &&
            node["method"] === false &&
            node["kind"] === "init"
          )
            edit(node["value"], "undefined", 2);
          break;
        case "CallExpression":
          if (["MemberExpression", "ChainExpression", "CallExpression"].includes(parent.type)) break;
          if (["filter", "some", "every"].includes(String(node["callee"].property?.name)))
            if (node["callee"].property.name === "filter") edit(node, textOf(node["callee"].object), 1);
            else {
              edit(node, "true", 2);
              edit(node, "false", 2);
            }
          break;
        case "BinaryExpression":
          if (["<", ">", "<=", ">="].includes(String(node["operator"]))) edit(node, "false", 2);
          else if (["===", "!=="].includes(String(node["operator"]))) {
            edit(node, "false", 3);
            edit(node, "true", 3);
          }
          break;
        case "ReturnStatement":
          if (node["argument"] !== null && node["argument"].type === "CallExpression")
            edit(node["argument"], "undefined", 3);
          break;
        default:
      }
    }
    if (isFunction && node["body"]?.type === "BlockStatement" && node["body"].body.length > 0)
      if (parent["kind"] !== "constructor") {
        const start = node["body"].start + 1;
        edit({ start, end: start }, " return undefined as never;", 4, "body");
      }
    for (const part of Object.values(node))
      for (const each of Array.isArray(part) ? part : [part])
        if (typeof each === "object" && each !== null && typeof each.type === "string")
          visit(each, depth + (isFunction ? 1 : 0), node);
  };
  visit(/** @type {any} */ (program), 0, /** @type {any} */ (program));
  return found;
}

/**
 * An edit as a table has it: whole lines that occur once in the file, and their replacement.
 *
 * @param {string} source
 * @param {Candidate} candidate
 * @returns {{ find: string, replace: string } | undefined} `undefined` if no few lines around it occur once.
 */
export function asPattern(source, { start, end, replacement }) {
  let from = source.lastIndexOf("\n", start - 1) + 1;
  let to = source.indexOf("\n", end);
  if (to < 0) to = source.length;
  for (let grown = 0; grown < 4; grown += 1) {
    const find = source.slice(from, to);
    if (find.length > 600) return undefined;
    if (source.split(find).length === 2) {
      const replace = source.slice(from, start) + replacement + source.slice(end, to);
      const lead = /^\s*/u.exec(find)?.[0].length ?? 0;
      const trimmed = find.slice(lead);
      // Without the indentation, so that moving the code into another block keeps the match.
      return source.split(trimmed).length === 2 && !trimmed.includes("\n")
        ? { find: trimmed, replace: replace.slice(Math.min(lead, start - from)) }
        : { find, replace };
    }
    if (from > 0) from = source.lastIndexOf("\n", from - 2) + 1;
  }
  return undefined;
}
