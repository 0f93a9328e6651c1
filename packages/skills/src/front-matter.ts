import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit, type ParsedNode } from "yaml";
import { limits } from "./limits.ts";

/** The fields of a skill's front matter. */
export interface SkillFields {
  readonly name: string;
  readonly description: string;
  readonly license?: string | undefined;
  readonly compatibility?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Names of the tools that its author wants to be approved in advance. They are shown, and have no effect. */
  readonly allowedTools: readonly string[];
}

/** A `SKILL.md` that was read. */
export interface ReadFrontMatter {
  /** The fields; absent if one of them is wrong. */
  readonly fields?: SkillFields | undefined;
  /** The text after the front matter, as it is in the file. */
  readonly text: string;
  readonly mistakes: readonly { readonly line: number; readonly problem: string }[];
  /** Fields that the format does not have. */
  readonly unknown: readonly string[];
}

const known: ReadonlySet<string> = new Set([
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
]);

const form = 'Begin the file with "---", then `name: ` and `description: `, then a line with "---".';

/**
 * Reads the front matter of a `SKILL.md`.
 *
 * @param content - The whole file.
 * @param folder - Name of the skill's folder.
 */
export function readFrontMatter(content: string, folder: string): ReadFrontMatter {
  const whole = content.startsWith("\uFEFF") ? content.slice(1) : content;
  const opening = /^---[ \t]*\r?\n/u.exec(whole);
  if (opening === null) return broken(whole, 1, `there is no front matter. ${form}`);
  const rest = whole.slice(opening[0].length);
  const closing = /^---[ \t]*(?:\r?\n|$)/mu.exec(rest);
  if (closing === null) return broken(whole, 1, `the front matter has no end. ${form}`);
  const source = rest.slice(0, closing.index);
  const text = rest.slice(closing.index + closing[0].length);
  if (Buffer.byteLength(source) > limits.frontMatter)
    return broken(text, 1, `the front matter has ${Buffer.byteLength(source)} bytes; at most 8 KB are read`);

  const lines = new LineCounter();
  const document = parseDocument(source, {
    schema: "failsafe",
    lineCounter: lines,
    uniqueKeys: true,
    merge: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  // The line of the file: the front matter begins on its second line.
  const lineAt = (offset: number): number => lines.linePos(offset).line + 1;
  const mistakes: { line: number; problem: string }[] = [...document.errors, ...document.warnings].map(
    ({ pos, message }) => ({
      line: lineAt(pos[0]),
      problem: `this is not YAML that can be read: ${message}`,
    }),
  );
  visit(document, {
    Node(_key, node) {
      const line = lineAt(node.range?.[0] ?? 0);
      if (isAlias(node) || node.anchor !== undefined)
        mistakes.push({ line, problem: "anchors and aliases are not read. Write the value itself" });
      if (!isAlias(node) && node.tag !== undefined)
        mistakes.push({ line, problem: "tags of YAML are not read. Write the plain text" });
    },
  });
  if (mistakes.length > 0) return { text, mistakes, unknown: [] };
  if (!isMap<ParsedNode, ParsedNode | null>(document.contents))
    return broken(text, 2, "the front matter has no fields. It needs `name: ` and `description: `");

  const fields = new Map<string, ParsedNode | null>();
  for (const { key, value } of document.contents.items)
    if (isScalar(key)) fields.set(String(key.value), value);
    else mistakes.push({ line: lineAt(key.range[0]), problem: "a field needs a plain name" });
  const lineOf = (name: string): number => {
    const value = fields.get(name);
    return isNode(value) ? lineAt(value.range?.[0] ?? 0) : 2;
  };
  const textOf = (name: string, most: number, isRequired = false): string | undefined => {
    const value = fields.get(name);
    const said = isScalar(value) ? String(value.value).trim() : undefined;
    if (value === undefined && !isRequired) return undefined;
    const wrong =
      value === undefined
        ? "is missing"
        : said === undefined
          ? "is not a text"
          : said === ""
            ? "is empty"
            : [...said].length > most
              ? `has ${[...said].length} characters`
              : undefined;
    if (wrong === undefined) return said;
    mistakes.push({ line: lineOf(name), problem: `\`${name}\` ${wrong}. It is a text of 1 to ${most} characters` });
    return undefined;
  };

  const name = textOf("name", limits.name, true);
  if (name !== undefined && !/^[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(name))
    mistakes.push({
      line: lineOf("name"),
      problem: `\`name\` is "${name}". A name has the letters a to z, digits, and single hyphens between them`,
    });
  else if (name !== undefined && name !== folder)
    mistakes.push({
      line: lineOf("name"),
      problem: `\`name\` is "${name}", and the folder is "${folder}". Give both the same name`,
    });
  const description = textOf("description", limits.description, true);
  const license = textOf("license", limits.description);
  const compatibility = textOf("compatibility", limits.compatibility);
  const metadata = metadataOf(fields.get("metadata"));
  if (metadata === "wrong")
    mistakes.push({ line: lineOf("metadata"), problem: "`metadata` is not a list of names with one text each" });
  const allowedTools = allowedToolsOf(fields.get("allowed-tools"));
  if (allowedTools === "wrong")
    mistakes.push({
      line: lineOf("allowed-tools"),
      problem: "`allowed-tools` is a text with names separated by spaces, or a list of names",
    });
  const unknown = [...fields.keys()].filter((one) => !known.has(one));
  if (mistakes.length > 0 || name === undefined || description === undefined) return { text, mistakes, unknown };
  return {
    fields: {
      name,
      description,
      license,
      compatibility,
      metadata: metadata === "wrong" ? undefined : metadata,
      allowedTools: allowedTools === "wrong" ? [] : allowedTools,
    },
    text,
    mistakes,
    unknown,
  };
}

function broken(text: string, line: number, problem: string): ReadFrontMatter {
  return { text, mistakes: [{ line, problem }], unknown: [] };
}

function metadataOf(value: ParsedNode | null | undefined): Readonly<Record<string, string>> | "wrong" | undefined {
  if (value === undefined) return undefined;
  if (!isMap<ParsedNode, ParsedNode | null>(value)) return "wrong";
  const entries: [string, string][] = [];
  for (const { key, value: one } of value.items) {
    if (!isScalar(key) || !isScalar(one)) return "wrong";
    entries.push([String(key.value), String(one.value)]);
  }
  return Object.fromEntries(entries);
}

function allowedToolsOf(value: ParsedNode | null | undefined): readonly string[] | "wrong" {
  if (value === undefined) return [];
  if (isScalar(value)) return String(value.value).split(/\s+/u).filter(Boolean);
  if (!isSeq<ParsedNode>(value) || !value.items.every((item) => isScalar(item))) return "wrong";
  return value.items.map((item) => (isScalar(item) ? String(item.value) : ""));
}
