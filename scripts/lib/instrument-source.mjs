import { parseSync } from "oxc-parser";

/** @typedef {{ type: string, start: number, end: number } & Record<string, any>} Node */

const functions = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);
const loops = new Set(["ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"]);

/**
 * A source text whose loops call `__step()`, and whose functions call `__hit(id)` first if a name is given: `id` is the
 * name and where the function starts, as {@link functionAround} returns it.
 *
 * @param {string} source - TypeScript.
 * @param {string} [name] - Of the file; default: functions are left as they are.
 */
export function instrumented(source, name) {
  /** @type {{ at: number, text: string, order: number }[]} */
  const inserted = [];
  /** @type {(body: Node, call: string, opens: string, closes: string) => void} */
  const before = (body, call, opens, closes) => {
    if (body.type === "BlockStatement") {
      inserted.push({ at: body.start + 1, text: call, order: inserted.length });
      return;
    }
    inserted.push({ at: body.start, text: opens + call, order: inserted.length });
    // An inner body closes first.
    inserted.push({ at: body.end, text: closes, order: -inserted.length });
  };
  each(parsed(source), (node) => {
    if (loops.has(node.type)) before(node["body"], "__step();", "{", "}");
    if (name === undefined || !functions.has(node.type) || node["body"] === null) return;
    const isBlock = node["body"].type === "BlockStatement";
    before(node["body"], `__hit(${JSON.stringify(idOf(name, node))})${isBlock ? ";" : ","}`, "(", ")");
  });
  let text = source;
  for (const { at, text: part } of inserted.toSorted((a, b) => b.at - a.at || b.order - a.order))
    text = text.slice(0, at) + part + text.slice(at);
  return text;
}

/**
 * The id of the innermost function around a place; nothing where the place is evaluated as the module is loaded.
 *
 * @param {string} source - TypeScript.
 * @param {string} name - Of the file.
 * @returns {(at: number) => string | undefined}
 */
export function functionAround(source, name) {
  /** @type {Node[]} */
  const found = [];
  each(parsed(source), (node) => {
    if (functions.has(node.type)) found.push(node);
  });
  // An inner function comes after its outer one.
  return (at) => {
    const inner = found.findLast(({ start, end }) => start <= at && at < end);
    return inner === undefined ? undefined : idOf(name, inner);
  };
}

/** @type {(name: string, node: Node) => string} */
function idOf(name, { start }) {
  return `${name}:${start}`;
}

/** @type {(source: string) => Node} */
function parsed(source) {
  return /** @type {any} */ (parseSync("policy.ts", source).program);
}

/** @type {(node: Node, on: (node: Node) => void) => void} */
function each(node, on) {
  on(node);
  for (const part of Object.values(node)) {
    for (const one of Array.isArray(part) ? part : [part])
      if (typeof one === "object" && one !== null && typeof one.type === "string") each(one, on);
  }
}
