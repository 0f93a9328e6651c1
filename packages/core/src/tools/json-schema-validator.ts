import { dereference, Validator, type SchemaDraft } from "@cfworker/json-schema";
import type { JsonSchema } from "../contracts/json.ts";
import type { Validation } from "../contracts/resolved-tool.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import { issuesOf } from "./json-schema-issues.ts";
import { quickCheck } from "./quick-check.ts";

/** The drafts, by a part of their `$schema`. Without one, the newest draft counts. */
const drafts: readonly (readonly [fragment: string, draft: SchemaDraft])[] = [
  ["draft-04", "4"],
  ["draft-06", "7"],
  ["draft-07", "7"],
  ["2019-09", "2019-09"],
];

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
  const draft = drafts.find(([fragment]) => dialect.includes(fragment))?.[1] ?? "2020-12";
  const isSure = quickCheck(copy);
  checkReferences(copy, what);
  let validator: Validator | undefined;
  return {
    jsonSchema: copyOf(schema, what),
    validate: (value) => {
      if (isSure?.(value) === true) return { ok: true, value };
      if (value === undefined) return { ok: false, issues: [{ path: "", message: "There is no value." }] };
      return validateWith((validator ??= new Validator(copy, draft, false)), value);
    },
    notes: notes.map(
      (pattern) => `${what}: the pattern ${pattern} is not a regular expression here and is not checked.`,
    ),
  };
}

function validateWith(validator: Validator, value: unknown): Validation {
  try {
    const result = validator.validate(value);
    return result.valid ? { ok: true, value } : { ok: false, issues: issuesOf(result.errors) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, issues: [{ path: "", message: "cannot be checked: its schema refers to itself without end" }] };
  }
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
  let known: ReturnType<typeof dereference>;
  try {
    known = dereference(structuredClone(schema));
  } catch (error) {
    throw new ConfigurationError("INVALID_JSON_SCHEMA", `${what} is not a usable JSON Schema: ${String(error)}`, {
      cause: error,
    });
  }
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
