import { jsonObjects, jsonText } from "@bailiwick/core/provider";

/** Beta features that the request needs. */
export const beta = {
  mcp: "mcp-client-2025-11-20",
  files: "files-api-2025-04-14",
  contextManagement: "context-management-2025-06-27",
  thinkingBinding: "thinking-binding-controls-2026-08-01",
} as const;

/**
 * The betas that context editing needs. A strategy of compaction is its own beta: `compact_20260112` is that of
 * 2026-01-12.
 *
 * @param management - As the vendor writes it.
 */
export function contextBetas(management: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  if (management === undefined) return [];
  const dates = jsonObjects(management["edits"]).flatMap(({ type }) => {
    const [, year, month, day] = /^compact_(\d{4})(\d{2})(\d{2})$/.exec(jsonText(type)) ?? [];
    return day === undefined ? [] : [`compact-${year}-${month}-${day}`];
  });
  return [beta.contextManagement, ...dates];
}

/**
 * Beta features from several places as one header, each once.
 *
 * @param groups - Names, or headers that already hold several.
 * @returns `undefined` if there are none.
 */
export function mergeBetas(...groups: readonly (readonly string[])[]): string | undefined {
  const names = groups
    .flat()
    .flatMap((text) => text.split(","))
    .map((name) => name.trim());
  const merged = [...new Set(names.filter((name) => name !== ""))].join(",");
  return merged === "" ? undefined : merged;
}
