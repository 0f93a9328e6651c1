// The names that the reference pages define, and the table of their equivalents.
import { publicNames } from "./public-names.mjs";

/**
 * @typedef {object} ReferenceName
 * @property {string} type the type that has it, such as `RunContext`
 * @property {string} name a property or method, or the value of a union's `type`, such as `type:text`
 */

/**
 * @typedef {object} NameRow
 * @property {string} type of the reference; empty: a function, or a field inside a field
 * @property {readonly string[]} names there
 * @property {string} here `Type`: the same names; `Type.name`: another one; empty: none
 * @property {string} why
 * @property {number} line
 */

/** @type {readonly (readonly [RegExp, string])[]} */
const titles = [
  [/^Guardrails$/, "InputGuardrail"],
  [/^The tool definition interface/, "ToolDef"],
  [/^Prevent .* large tool results\.$/, "ToolResultLimit"],
];
const word = /^[A-Za-z_]\w*$/;

/**
 * The names of a page, in the format of its site.
 *
 * @param {string} text
 * @returns {readonly ReferenceName[]}
 */
export function namesOfPage(text) {
  const lines = text.split("\n").map((line) => line.trim());
  if (lines.some((line) => line.startsWith("Interface: "))) return namesOfInterface(lines);
  if (lines.some((line) => line.startsWith("type FunctionToolResult"))) return namesOfUnion(lines);
  if (lines[0] === "API Reference") return namesOfProperties(lines, lines[1] ?? "");
  return namesOfHeadings(lines);
}

/** A page of one interface: a table of properties, or `optional name?: type` lines. */
function namesOfInterface(/** @type {readonly string[]} */ lines) {
  const type = /^Interface: (\w+)/.exec(lines.find((line) => line.startsWith("Interface: ")) ?? "")?.[1] ?? "";
  const inTable = namesOfProperties(lines, type);
  const inLines = lines.flatMap((line) => {
    const name = /^optional (\w+)\?:/.exec(line)?.[1] ?? (/^(\w+)\(\)$/.exec(line)?.[1] || undefined);
    return name === undefined ? [] : [{ type, name }];
  });
  // Properties that are not optional have their name and, below it, their name with its type.
  const required = lines.flatMap((line, index) => {
    const following = lines.slice(index + 1, index + 4);
    return word.test(line) && following.some((next) => next.startsWith(`${line}: `)) ? [{ type, name: line }] : [];
  });
  return unique([...inTable, ...inLines, ...required]);
}

/** A table whose rows begin with the name. */
function namesOfProperties(/** @type {readonly string[]} */ lines, /** @type {string} */ type) {
  const start = lines.indexOf("Properties");
  const end = lines.indexOf("Methods", start);
  const rows = start === -1 ? [] : lines.slice(start, end === -1 ? undefined : end);
  return unique(
    rows.flatMap((line) => {
      const name = /^(\w+)\??\s*\|/.exec(line)?.[1];
      return name === undefined || name === "Property" ? [] : [{ type, name }];
    }),
  );
}

/** A union that is printed as code, member by member. */
function namesOfUnion(/** @type {readonly string[]} */ lines) {
  const code = lines.slice(
    0,
    lines.findIndex((line) => line.startsWith("The result of")),
  );
  return unique(
    code.flatMap((line) => {
      const [, name = "", value = ""] = /^(\w+)\??: (.*);$/.exec(line) ?? [];
      if (name === "") return [];
      const literal = name === "type" ? /^"(\w+)"$/.exec(value)?.[1] : undefined;
      return [{ type: "FunctionToolResult", name: literal === undefined ? name : `type:${literal}` }];
    }),
  );
}

/** A page of many types: each is a heading of one word with a table below it. */
function namesOfHeadings(/** @type {readonly string[]} */ lines) {
  /** @type {ReferenceName[]} */
  const names = [];
  let type = "";
  let header = "";
  for (const line of lines) {
    if (/^[A-Z][A-Za-z]+$/.test(line) && !/^(Methods|Example)$/.test(line)) type = line;
    // Some tables have a sentence above them, and no heading.
    type = titles.find(([words]) => words.test(line))?.[1] ?? type;
    if (line.startsWith("| ")) header = line;
    const [first = "", second = ""] = line.split("|").map((cell) => cell.trim());
    if (!line.includes("|") || line.startsWith("|")) continue;
    const literal = /^"(\w+)"$/.exec(first)?.[1];
    if (literal !== undefined && header.startsWith("| Type | Fields")) {
      names.push({ type, name: `type:${literal}` });
      for (const field of second.replace(/\{[^}]*\}/g, "object").split(/[;,]/)) {
        const name = /^\s*(\w+)\??:/.exec(field)?.[1];
        if (name !== undefined) names.push({ type, name });
      }
    } else if (word.test(first) && /^\| (Property|Method|Hook|Field|Option|Name)/.test(header)) {
      names.push({ type, name: first });
    }
  }
  return unique(names);
}

/** @param {readonly ReferenceName[]} names */
function unique(names) {
  return [...new Map(names.map((entry) => [`${entry.type}.${entry.name}`, entry])).values()];
}

/**
 * The rows of `docs/spec/reference-names.md`: below a heading that is a type's name in code, `| names | here | why |`.
 *
 * @param {string} text
 * @returns {readonly NameRow[]}
 */
export function readNameTable(text) {
  /** @type {NameRow[]} */
  const rows = [];
  let type = "";
  for (const [index, line] of text.split("\n").entries()) {
    // Headings in words contain functions and nested fields, which no type of the pages has.
    if (line.startsWith("#")) type = /^##+ `(\w+)`/.exec(line)?.[1] ?? "";
    const cells = line.startsWith("| `")
      ? line
          .slice(1, -1)
          .split("|")
          .map((cell) => cell.trim())
      : [];
    const [names = "", here = "", why = ""] = cells;
    if (cells.length === 0) continue;
    rows.push({
      type,
      names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
      here: /^`([^`]+)`$/.exec(here)?.[1] ?? "",
      why,
      line: index + 1,
    });
  }
  return rows;
}

/**
 * The differences between the pages and the table, one line each.
 *
 * @param {readonly ReferenceName[]} names of all pages
 * @param {readonly NameRow[]} rows
 * @returns {readonly string[]}
 */
export function unaccounted(names, rows) {
  const ofTypes = rows.filter(({ type }) => type !== "");
  const told = new Set(ofTypes.flatMap((row) => row.names.map((name) => `${row.type}.${name}`)));
  const known = new Set(names.map(({ type, name }) => `${type}.${name}`));
  return [
    ...[...known].filter((name) => !told.has(name)).map((name) => `${name} has no row`),
    ...[...told].filter((name) => !known.has(name)).map((name) => `${name} is on no reference page`),
    ...rows
      .filter(({ here, why }) => here === "" && why.length < 10)
      .map(
        ({ type, names: [name], line }) =>
          `line ${line}: ${type === "" ? "" : `${type}.`}${name} has neither a name here nor a reason`,
      ),
  ];
}

/** @type {Record<string, string[]> | undefined} */
let exported;

/**
 * Names the entry point that exports a type: first the facade, then the entries for authors.
 *
 * @param {string} type
 * @returns {string}
 */
function entryOf(type) {
  exported ??= publicNames();
  const entries = Object.entries(exported).filter(([, names]) => names.includes(type));
  return entries.find(([entry]) => entry === "@bailiwick/agent")?.[0] ?? entries[0]?.[0] ?? "@bailiwick/agent";
}

/**
 * A module that compiles only when each name of the table is one of ours.
 *
 * @param {readonly NameRow[]} rows
 */
export function moduleOf(rows) {
  const functions = rows.filter((row) => row.type === "" && row.here !== "" && !row.here.includes("."));
  const checks = rows.flatMap((row) => {
    const { names, here, line } = row;
    if (here === "" || functions.includes(row)) return [];
    const [type = "", ...path] = here.split(".");
    const wanted = path.length > 0 ? [path.join(".")] : names;
    return wanted.map((name) => ({ type, name, line }));
  });
  const types = [...new Set(checks.map(({ type }) => type))].sort();
  return [
    ...types.map((type) => `import type { ${type} } from "${entryOf(type)}";`),
    ...functions.map(({ here, line }) => `export { ${here} as line${line}_0 } from "${entryOf(here)}";`),
    "type Has<T, K extends PropertyKey> = T extends unknown ? (K extends keyof T ? true : never) : never;",
    "type Is<T, V> = Extract<T, { readonly type: V }> extends never ? never : true;",
    ...checks.map(({ type, name, line }, index) => {
      const value = /^type:(\w+)$/.exec(name)?.[1];
      const check = value === undefined ? `Has<${type}, "${name}">` : `Is<${type}, "${value}">`;
      return `export const line${line}_${index}: ${check} = true;`;
    }),
    "",
  ].join("\n");
}
