import { ConfigurationError, ToolError, type ContentPart, type JsonValue, type RunInput } from "@bailiwick/core";
import { compileSchema, durableJson, isStandardSchema } from "@bailiwick/core/extension";
import type { Origin } from "./node-types.ts";

/** The value that a node gets; `content` is there for the text or the parts that an application gave. */
export interface Given {
  readonly value: JsonValue;
  readonly content?: JsonValue | undefined;
}

/** The beginning of an error about a value that JSON cannot hold: the program reads it in the result of the node. */
export const invalidValue = "NODE_VALUE_INVALID";

/**
 * Checks a value between nodes, and copies it. `undefined` becomes `null`.
 *
 * @param where - Name of the workflow and of the node.
 * @throws ToolError that begins with `NODE_VALUE_INVALID`, with the path of the value.
 */
export function checkedValue(value: unknown, where: string): JsonValue {
  if (value === undefined) return null;
  const json = durableJson(value);
  if (json.ok) return json.value;
  throw new ToolError(`${invalidValue}: ${refusal(json.problem, where)}`, { recoverable: false });
}

function refusal(problem: string, where: string): string {
  const [, what = problem, path = ""] = /^(.*) at "(.*)"$/su.exec(problem) ?? [];
  const place = path === "" || path.startsWith("[") ? `${where}${path}` : `${where}.${path}`;
  return `The value at ${place} is ${what}. Values between nodes are JSON: return text, numbers, booleans, null, lists and plain objects.`;
}

/** Reads and checks the input of a workflow. */
export interface InputCodec {
  /** The value as the text part that is stored. */
  readonly encode: (value: unknown, isOutside: boolean) => RunInput;
  /** Refuses an input before anything is stored. */
  readonly check: (input: RunInput) => Promise<void>;
  /** Makes the value that the nodes get. */
  readonly decode: (content: JsonValue) => Promise<JsonValue>;
}

/**
 * The codec of a workflow with a schema for its input.
 *
 * @param what - The workflow, for errors.
 * @param schema - Checks a value; `undefined` accepts every value.
 * @param each - The schema is about each item of a list.
 */
export function inputCodec(what: string, schema: object | undefined, each: boolean): InputCodec {
  const name = `${each ? '"item"' : '"input"'} of ${what}`;
  // Only the check is needed here: a library that cannot write JSON Schema is welcome too.
  const jsonSchema = schema !== undefined && isStandardSchema(schema) ? {} : undefined;
  const compiled = schema === undefined ? undefined : compileSchema(schema, { what: name, jsonSchema });
  const refuse = (message: string): never => {
    throw new ConfigurationError("INVALID_INPUT", `The input of ${what} ${message}`);
  };
  const parseOne = async (value: unknown, place: string): Promise<unknown> => {
    if (compiled === undefined) return value;
    const checked = await compiled.validate(value);
    if (checked.ok) return checked.value;
    const said = checked.issues.map(({ path, message }) => `${joined(place, path) || "(root)"}: ${message}`).join("; ");
    return refuse(`does not fit its schema: ${said}.`);
  };
  const parse = async (value: unknown): Promise<JsonValue> => {
    if (!each) return plain(await parseOne(value, ""));
    if (!Array.isArray(value)) return refuse(`has to be a list of items.`);
    const items: unknown[] = [];
    for (const [index, item] of value.entries()) items.push(await parseOne(item, `[${index}]`));
    return plain(items);
  };
  const plain = (value: unknown): JsonValue => {
    const json = durableJson(value ?? null);
    return json.ok
      ? json.value
      : refuse(`holds ${json.problem} after its schema parsed it. Values between nodes are JSON.`);
  };
  const read = (content: unknown): unknown => {
    const text = textOfContent(content);
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return refuse("is not JSON.");
    }
  };
  return {
    encode(value, isOutside) {
      const json = durableJson(value ?? null);
      if (!json.ok) refuse(`holds ${json.problem}, which is not JSON.`);
      const text = JSON.stringify(json.ok ? json.value : null);
      return [{ type: "text", text, ...(isOutside && { untrusted: true }) }];
    },
    async check(input) {
      await parse(read(contentOf(input)));
    },
    decode: async (content) => parse(read(content)),
  };
}

function joined(place: string, path: string): string {
  return place === "" || path === "" || path.startsWith("[") ? place + path : `${place}.${path}`;
}

function contentOf(input: RunInput): unknown {
  return typeof input === "object" && "content" in input ? input.content : input;
}

/** A user's content as text. */
export function textOfContent(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as readonly Partial<ContentPart & { readonly text: string }>[])
    .map(({ text }) => text ?? "")
    .join("");
}

/** The answer of a workflow: a text is its text, and any other value is written as JSON. */
export function textOfValue(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Checks the option `origin`.
 *
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function checkOrigin(kind: string, origin: unknown, isNeeded: boolean): asserts origin is Origin | undefined {
  if (origin === "own" || origin === "outside" || (origin === undefined && !isNeeded)) return;
  throw new ConfigurationError(
    "INVALID_OPTION",
    `${kind}(): "origin" says who wrote the input: "own" for a value of your application or its user, "outside" for text of others, such as a mail. Set it beside "input".`,
  );
}
