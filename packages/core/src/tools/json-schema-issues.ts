import type { OutputUnit } from "@cfworker/json-schema";
import type { SchemaIssue } from "../contracts/schema.ts";
import { formatPath } from "./paths.ts";

/** Keywords that only report a failure inside them; the inner report has the reason. */
const containers: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "additionalProperties",
  "items",
  "prefixItems",
  "additionalItems",
  "propertyNames",
  "unevaluatedProperties",
  "unevaluatedItems",
  "dependentSchemas",
  "allOf",
  "if",
  "then",
  "else",
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
]);

/**
 * The problems of a value as text for a model or a caller: each once, without those of enclosing keywords.
 *
 * @param errors - The errors of the validator.
 */
export function issuesOf(errors: readonly OutputUnit[]): readonly SchemaIssue[] {
  const inner = errors.filter((error) => !containers.has(error.keyword));
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
    case "exclusiveMinimum":
      return bare(error).replace(" is less than ", " is less than or equal to ");
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
