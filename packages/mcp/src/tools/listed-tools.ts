import { classifyTools, tool } from "@bailiwick/core";
import { declaredEffect, registrationOf } from "@bailiwick/core/extension";
import type { Hasher, ServedTool, ServedTools, Tool, Warning } from "@bailiwick/core";
import type { Tool as ListedTool } from "@modelcontextprotocol/client";
import { isSensitive } from "../connection/sensitive-tools.ts";
import { callTool } from "./call-tool.ts";
import type { Calls } from "./call-tool.ts";
import { schemaOf } from "./json-schema.ts";
import { namesFor } from "./names.ts";

/** Time limit of a call that its server's progress extends, in milliseconds. */
const totalTimeoutMs = 600_000;

/** The tools of a server, before its operator has classified them. */
export interface ListedTools {
  readonly served: readonly ServedTool[];
  readonly warnings: readonly Warning[];
  /** Names the ones that change nothing, as the operator declares. */
  readonly reads: Set<string>;
}

/**
 * Makes tools of a server's list. An invalid one is left out with a warning.
 *
 * @param offered - Tools for its resources and prompts.
 */
export function listedTools(
  listed: readonly ListedTool[],
  calls: Calls,
  offered: readonly ServedTool[] = [],
): ListedTools {
  const { name: server, include, exclude = [] } = calls.options;
  const warnings: Warning[] = [];
  const reads = new Set<string>();
  const served: ServedTool[] = [];
  const wanted = firstOfEach(listed).filter(
    ({ name }) => (include === undefined || fitsAny(name, include)) && !fitsAny(name, exclude),
  );
  const names = namesFor(wanted.map(({ name }) => name));
  for (const [index, one] of wanted.entries()) {
    const name = names[index] ?? one.name;
    try {
      const made = toolOf(one, name, calls, reads);
      served.push({ tool: made, ...(one.annotations !== undefined && { annotations: one.annotations }) });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      warnings.push({
        code: "server_tool_left_out",
        message: `Tool ${JSON.stringify(name)} of the MCP server "${server}" is left out: ${why}`,
        subject: name,
      });
    }
  }
  const taken = new Set(served.map(({ tool: { name } }) => name));
  for (const one of offered) {
    const { name } = one.tool;
    if (!taken.has(name)) served.push(one);
    else
      warnings.push({
        code: "server_tool_left_out",
        message: `Tool "${name}" for the resources or prompts of the MCP server "${server}" is left out: the server has a tool of that name.`,
        subject: name,
      });
  }
  return { served, warnings, reads };
}

/**
 * The tools with their operator's classification.
 *
 * @throws ConfigurationError for words that fit no tool, or two ways.
 */
export function classified(listed: ListedTools, calls: Calls, hasher: Hasher): ServedTools {
  const { name, tools, trustAnnotations, pins, changed } = calls.options;
  const result = classifyTools(listed.served, {
    source: sourceOf(name),
    hasher,
    ...(tools !== undefined && { tools }),
    ...(trustAnnotations !== undefined && { trustAnnotations }),
    ...(pins !== undefined && { pins }),
    ...(changed !== undefined && { changed }),
  });
  listed.reads.clear();
  for (const one of result.tools) if (isRead(one)) listed.reads.add(one.name);
  return { tools: result.tools, warnings: [...listed.warnings, ...result.warnings] };
}

/** Source of a server's tools. */
export function sourceOf(server: string): { readonly kind: "mcp"; readonly serverIdentity: string } {
  return { kind: "mcp", serverIdentity: server };
}

function isRead(one: Tool): boolean {
  const { operator = {} } = registrationOf(one);
  const effect = declaredEffect(operator);
  return effect === "pure" || effect === "read-only";
}

/** If a server lists a name twice, the first one counts, because a call by that name reaches one of them. */
function firstOfEach(listed: readonly ListedTool[]): readonly ListedTool[] {
  const seen = new Set<string>();
  return listed.filter(({ name }) => !seen.has(name) && seen.add(name));
}

function toolOf(one: ListedTool, name: string, calls: Calls, reads: ReadonlySet<string>): Tool {
  const { timeoutMs, resetTimeoutOnProgress, maxTotalTimeoutMs = totalTimeoutMs } = calls.options;
  const limit = resetTimeoutOnProgress === true ? maxTotalTimeoutMs : timeoutMs;
  const isTask = one.execution?.taskSupport === "required";
  const hints = { openWorldHint: one.annotations?.openWorldHint, sensitiveHint: isSensitive(one) };
  const called = { serverName: one.name, isTask, hints, isRead: () => reads.has(name) };
  const made: Tool = tool({
    name,
    description: one.description || one.title || `Tool "${one.name}" of the server "${calls.options.name}".`,
    inputSchema: one.inputSchema,
    streamingHint: true,
    ...(limit !== undefined && { timeoutMs: limit }),
    execute: (input, ctx) => callTool(calls, called, input, ctx),
  });
  if (one.outputSchema === undefined) return made;
  return { ...made, outputSchema: schemaOf(one.outputSchema, `The outputSchema of tool "${name}"`) };
}

/**
 * True if a name matches one of the patterns, in which `*` means any characters.
 *
 * @param patterns - Names or patterns.
 */
function fitsAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => fits(name, pattern));
}

function fits(name: string, pattern: string): boolean {
  const parts = pattern.split("*");
  const [head = ""] = parts;
  if (parts.length === 1) return name === head;
  const tail = parts.at(-1) ?? "";
  if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
  let at = head.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - tail.length;
}
