import type { JsonSchema, ResolvedTool, Tool } from "@bailiwick/core";

/** Deeper levels are shown as `unknown`. This text only informs the model; the schema is still checked. */
const deepest = 4;

/**
 * Tells a model what its programs may call.
 *
 * @param resolved - All tools with their schemas.
 * @param tools - Tools that programs may call.
 */
export function describeTools(resolved: readonly ResolvedTool[], tools: readonly Tool[]): string {
  const lines = tools.flatMap(({ name }) => {
    const tool = resolved.find((one) => one.name === name);
    return tool === undefined ? [] : [lineOf(tool)];
  });
  return [
    "Each tool is an async function of one object; a failed call throws. Await what you need: there are no timers, no network and no imports, and the clock does not move.",
    "",
    ...lines,
  ].join("\n");
}

function lineOf(tool: ResolvedTool): string {
  const accessor = /^[A-Za-z_$][\w$]*$/u.test(tool.name) ? `tools.${tool.name}` : `tools[${JSON.stringify(tool.name)}]`;
  const output = tool.__outputJsonSchema === undefined ? "unknown" : typeOf(tool.__outputJsonSchema, 0);
  const text = tool.description.replaceAll(/\s+/gu, " ").trim();
  return `- ${accessor}(${typeOf(tool.__inputJsonSchema, 0)}): Promise<${output}> // ${text}`;
}

/** A schema as a TypeScript type, if a short one exists. */
function typeOf(schema: unknown, depth: number): string {
  if (typeof schema !== "object" || schema === null || depth > deepest) return "unknown";
  const { type, properties, required, items, anyOf, oneOf, ...rest } = schema as JsonSchema & Record<string, unknown>;
  if (Array.isArray(rest["enum"])) return rest["enum"].map((value) => JSON.stringify(value)).join(" | ");
  if ("const" in rest) return JSON.stringify(rest["const"]) ?? "unknown";
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return choices.map((choice) => typeOf(choice, depth + 1)).join(" | ");
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one as unknown }, depth)).join(" | ");
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return `Array<${typeOf(items, depth + 1)}>`;
    case "object":
      return objectOf(properties, required, depth);
    default:
      return properties === undefined ? "unknown" : objectOf(properties, required, depth);
  }
}

function objectOf(properties: unknown, required: unknown, depth: number): string {
  if (typeof properties !== "object" || properties === null) return "object";
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = Object.entries(properties).map(
    ([key, value]) =>
      `${/^[A-Za-z_$][\w$]*$/u.test(key) ? key : JSON.stringify(key)}${needed.includes(key) ? "" : "?"}: ${typeOf(value, depth + 1)}`,
  );
  return fields.length === 0 ? "{}" : `{ ${fields.join("; ")} }`;
}
