import type { JsonSchema } from "@bailiwick/core";

/** The schema of a member, at a path with `[]` for the items of an array; `undefined` if the path is open. */
export function schemaPosition(schema: JsonSchema | undefined, path: string): JsonSchema | undefined {
  let position: unknown = schema;
  for (const part of path.match(/\[\]|\["(?:[^"\\]|\\.)*"\]|[^.[\]]+/gu) ?? []) {
    const fields = position as
      | { readonly items?: unknown; readonly properties?: Readonly<Record<string, unknown>> }
      | undefined;
    const name = part.startsWith('["') ? (JSON.parse(part.slice(1, -1)) as string) : part;
    position = part === "[]" ? fields?.items : fields?.properties?.[name];
  }
  return position as JsonSchema | undefined;
}
