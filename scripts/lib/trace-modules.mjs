// Instruments the functions of the packages' sources as they load: each call notes its file and name.
import fs from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";
import { root } from "./project.mjs";

const sources = `${root}/packages/`;

/** @type {string[]} */
let calls = [];
let traces = false;

Reflect.set(globalThis, "__traceCall", (/** @type {string} */ place) => {
  if (traces) calls.push(place);
});

registerHooks({
  load(url, context, next) {
    const file = url.startsWith("file:") ? fileURLToPath(url) : "";
    if (!file.startsWith(sources) || !/\.m?[jt]s$/.test(file)) return next(url, context);
    const text = fs.readFileSync(file, "utf8");
    const code = /\.m?ts$/.test(file) ? stripTypeScriptTypes(text, { mode: "transform" }) : text;
    return { format: "module", source: instrumented(code, path.relative(sources, file)), shortCircuit: true };
  },
});

/**
 * Notes the calls of functions that `run` makes, in order, as `file#name`.
 *
 * @template Result
 * @param {() => Result | Promise<Result>} run
 * @returns {Promise<{ readonly result: Result, readonly calls: readonly string[] }>}
 */
export async function traced(run) {
  calls = [];
  traces = true;
  try {
    return { result: await run(), calls };
  } finally {
    traces = false;
  }
}

/**
 * Counts the files that calls entered, the lines in them, and the moves from one file to another.
 *
 * @param {readonly string[]} made
 */
export function figuresOf(made) {
  const files = made.map((place) => place.slice(0, place.indexOf("#")));
  const entered = new Set(files);
  const moves = files.filter((file, index) => file !== files[index - 1]).length;
  const lines = [...entered].reduce(
    (sum, file) => sum + fs.readFileSync(path.join(sources, file), "utf8").split("\n").length,
    0,
  );
  return { calls: made.length, functions: new Set(made).size, files: entered.size, lines, moves };
}

/**
 * @typedef {{ readonly type: string, readonly start: number, readonly end: number } & Record<string, unknown>} SyntaxNode
 */

/**
 * @param {string} code
 * @param {string} file
 */
function instrumented(code, file) {
  /** @type {{ at: number, text: string }[]} */
  const inserted = [];
  const { program } = parseSync(file.replace(/\.(m?)ts$/, ".$1js"), code);
  visit(program, undefined);
  inserted.sort((a, b) => b.at - a.at || (a.text === ")" ? -1 : 1));
  return inserted.reduce((text, { at, text: piece }) => text.slice(0, at) + piece + text.slice(at), code);

  /**
   * @param {unknown} node
   * @param {string | undefined} name
   */
  function visit(node, name) {
    if (Array.isArray(node)) for (const one of node) visit(one, undefined);
    if (!isNode(node)) return;
    if (/^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) note(node, name);
    for (const [key, value] of Object.entries(node)) visit(value, nameGiven(node, key));
  }

  /**
   * @param {SyntaxNode} node
   * @param {string | undefined} name
   */
  function note(node, name) {
    const own = isNode(node["id"]) ? node["id"]["name"] : undefined;
    const shown = typeof own === "string" ? own : (name ?? "anonymous");
    const call = `__traceCall(${JSON.stringify(`${file}#${shown}`)})`;
    const { body } = node;
    if (!isNode(body)) return;
    if (body.type === "BlockStatement") inserted.push({ at: body.start + 1, text: `${call};` });
    else inserted.push({ at: body.start, text: `(${call},` }, { at: body.end, text: ")" });
  }
}

/**
 * Returns the name that a declaration or a property gives to the function in one of its members.
 *
 * @param {SyntaxNode} node
 * @param {string} key
 */
function nameGiven(node, key) {
  const named = node.type === "VariableDeclarator" && key === "init" ? node["id"] : undefined;
  const isMember = /^(?:Property|MethodDefinition|PropertyDefinition)$/.test(node.type) && key === "value";
  const holder = named ?? (isMember ? node["key"] : undefined);
  const name = isNode(holder) ? (holder["name"] ?? holder["value"]) : undefined;
  return typeof name === "string" ? name : undefined;
}

/**
 * @param {unknown} value
 * @returns {value is SyntaxNode}
 */
function isNode(value) {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
