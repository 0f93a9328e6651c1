import {
  checkKnownNames,
  tool,
  toolReturn,
  type Principal,
  type Readers,
  type RunContext,
  type Tool,
} from "@bailiwick/core";
import type { DocumentPassage } from "./document-passage.ts";

/** Options of a document tool. */
export interface DocumentToolOptions {
  /** Name of the tool. Default `search_documents`. */
  readonly name?: string | undefined;
  /** The subject of the documents; the model reads it. Default: a general sentence. */
  readonly description?: string | undefined;
}

/** Makes the tool with which a model searches documents. */
export function documentTool(
  options: DocumentToolOptions,
  search: (query: string, limit: number | undefined, ctx: RunContext) => Promise<readonly DocumentPassage[]>,
): Tool {
  checkKnownNames(options, ["name", "description"], "the tool of documents()");
  const {
    name = "search_documents",
    description = "Searches the documents. Each passage has a citation: name it where you use it.",
  } = options;
  const made: Tool = tool({
    name,
    description,
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 2_000, description: "A question, or words of the passage." },
        limit: { type: "integer", minimum: 1, maximum: 50, description: "Number of passages. Default: 8." },
      },
      required: ["query"],
      additionalProperties: false,
    },
    sideEffectClass: "read-only",
    output: { integrity: "verified", readers: "public" },
    execute: async (input, ctx) => {
      const { query, limit } = input as { readonly query: string; readonly limit?: number };
      const passages = await search(query, limit, ctx);
      return toolReturn({
        output:
          passages.length === 0
            ? "No passage fits. Ask with other words."
            : passages.map(({ citation, text }) => ({ citation, text })),
        label: {
          integrity: passages.every(({ returns }) => returns === "own") ? "verified" : "untrusted",
          readers: readersOf(passages, ctx),
        },
        details: { passages: passages.map(({ citation, source }) => ({ citation, source })) },
      });
    },
  });
  return made;
}

/** The people who may see all of the passages. Those without readers are for the person who asked. */
function readersOf(passages: readonly DocumentPassage[], { userId, sessionId }: RunContext): Readers {
  const asking: Principal = userId === undefined ? `session:${sessionId}` : `user:${userId}`;
  let common: Readers = "public";
  for (const { readers = [asking] } of passages) {
    if (readers === "public") continue;
    common = common === "public" ? readers : common.filter((one) => readers.includes(one));
  }
  return common;
}
