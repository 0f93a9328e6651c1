/**
 * Edits that may remove a feature: in the functions that only the tests of a claim run, a branch that is never taken, a
 * value that is not read, an early return.
 */
import { parseSync } from "oxc-parser";

/** @typedef {{ type: string, start: number, end: number } & Record<string, any>} Node */
/** @typedef {{ start: number, end: number, replacement: string, rank: number, probe: number }} Candidate `probe`: the edit matters only if the code there runs. */

/**
 * The edits within a file.
 *
 * @param {string} source - TypeScript.
 * @returns {Candidate[]}
 */
export function candidatesOf(source) {
  /** @type {Candidate[]} */
  const found = [];
  const textOf = (/** @type {Node} */ node) => source.slice(node.start, node.end);
  const edit = (/** @type {Node} */ node, /** @type {string} */ replacement, rank = 1, probe = node) =>
    void found.push({ start: node.start, end: node.end, replacement, rank, probe: probe.start + 1 });
  const { program, errors } = parseSync("module.ts", source);
  if (errors.length > 0) return [];
  /** @type {(node: Node, depth: number) => void} */
  const visit = (node, depth) => {
    if (node.type === "TemplateLiteral" || (node.type.startsWith("TS") && node["expression"] === undefined)) return;
    if (node.type === "NewExpression" && String(node["callee"].name).endsWith("Error")) return;
    const isFunction = node.type.endsWith("FunctionExpression") || node.type === "FunctionDeclaration";
    if (depth > 0) {
      switch (node.type) {
        case "IfStatement":
          edit(node["test"], "false", 0, node["consequent"]);
          if (node["alternate"] !== null) edit(node["test"], "true", 1, node["alternate"]);
          break;
        case "ConditionalExpression":
          edit(node, textOf(node["consequent"]), 0, node["alternate"]);
          edit(node, textOf(node["alternate"]), 0, node["consequent"]);
          break;
        case "LogicalExpression":
          if (node["operator"] === "??") edit(node, textOf(node["right"]), 2);
          else {
            edit(node, `(${textOf(node["left"])})`, 1, node["right"]);
            edit(node, `(${textOf(node["right"])})`, 1);
          }
          break;
        case "ExpressionStatement":
          if (node["expression"].type !== "AssignmentExpression" && node["expression"].callee?.type !== "Super")
            edit(node, ";", 1);
          break;
        case "SpreadElement":
          edit({ ...node, end: node.end + (source[node.end] === "," ? 1 : 0) }, "", 0);
          break;
        case "Property":
          if (
            node["shorthand"] === false &&
            node["value"].type !== "AssignmentPattern" &&
            !["Literal", "ObjectPattern", "ArrayPattern"].includes(node["value"].type) &&
            node["method"] === false &&
            node["kind"] === "init"
          )
            edit(node["value"], "undefined", 2);
          break;
        case "CallExpression":
          if (["filter", "some", "every"].includes(String(node["callee"].property?.name)))
            if (node["callee"].property.name === "filter") edit(node, textOf(node["callee"].object), 1);
            else {
              edit(node, "true", 2);
              edit(node, "false", 2);
            }
          break;
        case "BinaryExpression":
          if (["<", ">", "<=", ">="].includes(String(node["operator"]))) edit(node, "false", 2);
          break;
        case "ReturnStatement":
          if (node["argument"] !== null && node["argument"].type === "CallExpression")
            edit(node["argument"], "undefined", 3);
          break;
        default:
      }
    }
    if (isFunction && node["body"]?.type === "BlockStatement" && node["body"].body.length > 0)
      found.push({
        start: node["body"].start + 1,
        end: node["body"].start + 1,
        replacement: " return undefined as never;",
        rank: 4,
        probe: node["body"].start + 1,
      });
    for (const part of Object.values(node))
      for (const each of Array.isArray(part) ? part : [part])
        if (typeof each === "object" && each !== null && typeof each.type === "string")
          visit(each, depth + (isFunction ? 1 : 0));
  };
  visit(/** @type {any} */ (program), 0);
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
      // Without the indentation: a move into another block keeps it.
      return source.split(trimmed).length === 2 && !trimmed.includes("\n")
        ? { find: trimmed, replace: replace.slice(Math.min(lead, start - from)) }
        : { find, replace };
    }
    if (from > 0) from = source.lastIndexOf("\n", from - 2) + 1;
  }
  return undefined;
}
