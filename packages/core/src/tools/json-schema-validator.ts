import { dereference } from "@cfworker/json-schema";
import type { OutputUnit, SchemaDraft, Validator } from "@cfworker/json-schema";

import type { JsonSchema } from "../contracts/json.ts";
import type { Validation } from "../contracts/resolved-tool.ts";
import type { SchemaIssue } from "../contracts/schema.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import { lazyPart } from "../loading/lazy-part.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import { formatPath } from "./paths.ts";
import { quickCheck } from "./quick-check.ts";

const DRAFTS: readonly (readonly [fragment: string, draft: SchemaDraft])[] = [
  ["draft-04", "4"],
  ["draft-06", "7"],
  ["draft-07", "7"],
  ["2019-09", "2019-09"],
];

/** Keywords that only report a failure inside them; the inner report has the reason. */
const CONTAINERS: ReadonlySet<string> = new Set(
  (
    "properties patternProperties additionalProperties items prefixItems additionalItems propertyNames " +
    "unevaluatedProperties unevaluatedItems dependentSchemas allOf if then else $ref $dynamicRef $recursiveRef"
  ).split(" "),
);

/** Keywords that `quickCheck` does not know. Most calls need none of them. */
const evaluation = lazyPart("The validator of JSON Schema", () => import("./json-schema-keywords.ts"));

/**
 * Prepares raw JSON Schema. It is interpreted, never compiled to code, so it works without `eval`.
 *
 * @param schema - The schema; copied, so that later changes to it have no effect.
 * @param what - Names the schema in errors.
 * @throws ConfigurationError `INVALID_JSON_SCHEMA` if it contains a reference outside itself, or is not plain JSON.
 */
export function compileJsonSchema(schema: JsonSchema, what: string): CompiledSchema {
  const copy = copyOf(schema, what);
  const notes = relaxPatterns(copy);
  const dialect = typeof copy["$schema"] === "string" ? copy["$schema"] : "";
  const draft = DRAFTS.find(([fragment]) => dialect.includes(fragment))?.[1] ?? "2020-12";
  const isSure = quickCheck(copy);
  let validator: Validator | undefined;
  try {
    checkReferences(copy, what);
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw new ConfigurationError("INVALID_JSON_SCHEMA", `${what} is not a usable JSON Schema: ${String(error)}`, {
      cause: error,
    });
  }
  return {
    jsonSchema: copyOf(schema, what),
    validate: (value) => {
      if (isSure?.(value) === true) return { ok: true, value };
      if (value === undefined) return { ok: false, issues: [{ path: "", message: "There is no value." }] };
      return evaluation((part) => validateWith((validator ??= new part.Validator(copy, draft, false)), value));
    },
    notes: notes.map(
      (pattern) => `${what}: the pattern ${pattern} is not a regular expression here and is not checked.`,
    ),
  };
}

function validateWith(validator: Validator, value: unknown): Validation {
  const result = validator.validate(value);
  return result.valid ? { ok: true, value } : { ok: false, issues: issuesOf(result.errors) };
}

/** The errors, without those of enclosing keywords. */
function issuesOf(errors: readonly OutputUnit[]): readonly SchemaIssue[] {
  const inner = errors.filter((error) => !CONTAINERS.has(error.keyword));
  const seen = new Set<string>();
  const issues: SchemaIssue[] = [];
  for (const error of inner.length > 0 ? inner : errors) {
    const issue = { path: formatPath(pointerKeys(error.instanceLocation)), message: wordsOf(error) };
    const key = `${issue.path}\n${issue.message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    issues.push(issue);
  }
  return issues;
}

/** The validator's errors as text for a model or a caller; without a full stop, like those of other schemas. */
function wordsOf({ keyword, error }: OutputUnit): string {
  const quoted = /"(.*)"/su.exec(error)?.[1] ?? "";
  switch (keyword) {
    case "false":
      return "is not allowed here";
    case "required":
      return `"${quoted}" is missing`;
    case "type": {
      const [, given, wanted] = /^Instance type "(\w+)" is invalid\. Expected (.*)\.$/su.exec(error) ?? [];
      return wanted === undefined
        ? bare(error)
        : `has to be ${wanted.replaceAll('"', "").replaceAll(", ", " or ")}, not ${given}`;
    }
    case "enum":
    case "const":
      return bare(error)
        .replace(/^Instance does not match any of /u, "has to be one of ")
        .replace(/^Instance does not match /u, "has to be ");
    case "anyOf":
      return "fits none of the alternatives";
    case "oneOf":
      return bare(error).replace(
        /^Instance does not match exactly one subschema/u,
        "has to fit exactly one of the alternatives",
      );
    case "not":
      return "is what the schema excludes";
    default:
      return bare(error);
  }
}

const bare = (sentence: string): string => sentence.replace(/\.$/u, "");

function pointerKeys(pointer: string): readonly (string | number)[] {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => {
      const key = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
      return /^(?:0|[1-9]\d*)$/u.test(key) ? Number(key) : key;
    });
}

function copyOf(schema: JsonSchema, what: string): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
  } catch (cause) {
    throw new ConfigurationError("INVALID_JSON_SCHEMA", `${what} is not plain JSON: ${String(cause)}`, { cause });
  }
}

/** Finds at registration the errors that would otherwise throw in the first call. */
function checkReferences(schema: Record<string, unknown>, what: string): void {
  const known = dereference(structuredClone(schema));
  for (const part of Object.values(known)) {
    if (typeof part !== "object") continue;
    const target = part.__absolute_ref__;
    if (target !== undefined && known[target] === undefined && known[part.$ref as string] === undefined) {
      throw new ConfigurationError(
        "INVALID_JSON_SCHEMA",
        `${what} refers to "${part.$ref}", which is not in it. Put the referenced schema under "$defs".`,
      );
    }
  }
}

/**
 * Removes patterns that this engine cannot parse: servers in other languages send them, and one of them must not make
 * the whole tool unusable. The model still sees them.
 */
function relaxPatterns(schema: Record<string, unknown>): readonly string[] {
  const dropped: string[] = [];
  const stack: unknown[] = [schema];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const part = next as Record<string, unknown>;
    if (typeof part["pattern"] === "string" && !compiles(part["pattern"])) {
      dropped.push(JSON.stringify(part["pattern"]));
      delete part["pattern"];
    }
    const patterns = part["patternProperties"];
    if (typeof patterns === "object" && patterns !== null) {
      for (const pattern of Object.keys(patterns)) {
        if (compiles(pattern)) continue;
        dropped.push(JSON.stringify(pattern));
        delete (patterns as Record<string, unknown>)[pattern];
      }
    }
    stack.push(...Object.values(part));
  }
  return dropped;
}

function compiles(pattern: string): boolean {
  try {
    void new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}
