import { jsonText } from "../json-shapes.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * A schema without some of its keywords; its description contains them. For keywords that a vendor refuses: the values
 * are checked with the original schema in any case.
 *
 * @param schema - The schema.
 * @param keywords - The keywords to remove.
 */
export function tellKeywords(schema: Json, keywords: readonly string[]): Record<string, unknown> {
  const said = keywords.filter((name) => Object.hasOwn(schema, name));
  if (said.length === 0) return { ...schema };
  const kept = Object.entries(schema).filter(([name]) => !said.includes(name));
  const notes = said.map((name) => `${name}: ${noteOf(schema[name])}`).join(", ");
  const description = jsonText(schema["description"]);
  return { ...Object.fromEntries(kept), description: description === "" ? `(${notes})` : `${description} (${notes})` };
}

function noteOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
