import { tool } from "@bailiwick/agent";
import type { Tool } from "@bailiwick/agent";
import type { JsonSchema } from "@bailiwick/core";

/** A tool that a scenario of the kit calls: it only reads, and its results are trusted. */
export const scenarioTool = (
  name: string,
  inputSchema: JsonSchema,
  execute: unknown,
  terms: Pick<Tool, "streamingHint"> = {},
): Tool =>
  tool({
    name,
    description: `Does what the scenario of ${name} wants.`,
    inputSchema,
    sideEffectClass: "read-only",
    output: { integrity: "verified" },
    ...terms,
    execute: execute as never,
  });
