import type { JsonSchema } from "../contracts/json.ts";
import type { Validation } from "../contracts/resolved-tool.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import { canonicalJson } from "../json/canonical-json.ts";
import { lazyPart } from "../loading/lazy-part.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import type { Problem } from "./json-schema-keywords.ts";
import { referencesOf, type SchemaPart } from "./json-schema-references.ts";
import { formatPath } from "./paths.ts";
import { quickCheck } from "./quick-check.ts";

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
  const isSure = quickCheck(copy);
  let targets: ReadonlyMap<object, SchemaPart>;
  try {
    targets = referencesOf(copy, (reference) => {
      throw new ConfigurationError(
        "INVALID_JSON_SCHEMA",
        `${what} refers to "${reference}", which is not in it. Put the referenced schema under "$defs".`,
      );
    });
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw new ConfigurationError("INVALID_JSON_SCHEMA", `${what} is not a usable JSON Schema: ${String(error)}`, {
      cause: error,
    });
  }
  const rules = {
    root: copy,
    targets,
    refStandsAlone: /draft-0[467]/u.test(dialect),
    canonical: canonicalJson,
  };
  return {
    jsonSchema: copyOf(schema, what),
    validate: (value) => {
      if (isSure?.(value) === true) return { ok: true, value };
      if (value === undefined) return { ok: false, issues: [{ path: "", message: "There is no value." }] };
      return evaluation(({ problemsOf }) => toValidation(value, problemsOf(value, rules)));
    },
    notes: notes.map(
      (pattern) => `${what}: the pattern ${pattern} is not a regular expression here and is not checked.`,
    ),
  };
}

/** The result for a value; each problem once. */
function toValidation(value: unknown, problems: readonly Problem[]): Validation {
  if (problems.length === 0) return { ok: true, value };
  const issues = problems.map(({ keys, message }) => ({ path: formatPath(keys), message }));
  return { ok: false, issues: [...new Map(issues.map((issue) => [canonicalJson(issue), issue])).values()] };
}

function copyOf(schema: JsonSchema, what: string): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
  } catch (cause) {
    throw new ConfigurationError("INVALID_JSON_SCHEMA", `${what} is not plain JSON: ${String(cause)}`, { cause });
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
