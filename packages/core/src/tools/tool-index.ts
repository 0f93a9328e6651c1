import type { ResolvedTool } from "../contracts/resolved-tool.ts";
import { buildSearchIndex, type SearchDocument, type SearchIndex } from "./bm25.ts";

// This file loads with the first call of `tool_search`. It imports no value of the initial bundle.

/** Indexes deferred tools by name, tags, description and the names and descriptions of their parameters. */
export function indexTools(tools: readonly ResolvedTool[]): SearchIndex {
  return buildSearchIndex(tools.map(documentOf));
}

function documentOf(tool: ResolvedTool): SearchDocument {
  const { properties } = tool.__inputJsonSchema;
  const parameters = Object.entries(typeof properties === "object" && properties !== null ? properties : {});
  return {
    id: tool.name,
    fields: [
      { text: tool.name, weight: 3 },
      { text: (tool.tags ?? []).join(" "), weight: 2 },
      { text: tool.description, weight: 1 },
      {
        text: parameters.map(([name, schema]) => `${name} ${descriptionOf(schema)}`).join(" "),
        weight: 0.5,
      },
    ],
  };
}

function descriptionOf(schema: unknown): string {
  const description = (schema as { readonly description?: unknown } | null)?.description;
  return typeof description === "string" ? description : "";
}
