import { ToolError, tool } from "@bailiwick/core";
import { withSource } from "@bailiwick/core/extension";
import type { MemoryAccess, MemoryKind, RememberOptions, Tool, ToolExecutionContext } from "@bailiwick/core";
import { longestText } from "./memory-options.ts";
import type { BlockOptions, MemoryToolName } from "./memory-options.ts";
import { longestName, mostRelations } from "./relations.ts";

const kinds = {
  semantic: "a fact",
  episodic: "something that happened",
  procedural: "how something is to be done, such as what a person corrected",
  shared: "a fact for everyone of the organisation",
} as const satisfies Partial<Record<MemoryKind, string>>;

const kindSchema = {
  type: "string",
  enum: Object.keys(kinds),
  description: `What it is: ${Object.entries(kinds)
    .map(([kind, what]) => `${kind}, ${what}`)
    .join("; ")}. Default semantic.`,
} as const;

/**
 * Makes the tools that the model edits memory with.
 *
 * @param names - Their names.
 * @param blocks - The existing blocks; without one there is no tool for them.
 * @param relations - `remember` takes relations too.
 */
export function memoryTools(
  names: readonly MemoryToolName[],
  blocks: Readonly<Record<string, BlockOptions>>,
  relations: boolean,
): readonly Tool[] {
  const made: Readonly<Record<MemoryToolName, () => Tool | undefined>> = {
    remember: () => rememberTool(relations),
    recall: recallTool,
    forget: forgetTool,
    edit_memory_block: () => blockTool(blocks),
  };
  return names.flatMap((name) => {
    const one = made[name]();
    return one === undefined ? [] : [withSource(one, { kind: "built-in", subsystem: "memory" })];
  });
}

/** No new readers: a written memory keeps its label. */
const toNobody = (): readonly [] => [];
const ownWords = { integrity: "verified", readers: "public" } as const;

const relationsSchema = {
  type: "array",
  maxItems: mostRelations,
  description: "How people and things of the text are related, each with its full name: Ana, works at, Acme.",
  items: {
    type: "object",
    properties: Object.fromEntries(
      ["from", "kind", "to"].map((field) => [field, { type: "string", minLength: 1, maxLength: longestName }]),
    ),
    required: ["from", "kind", "to"],
    additionalProperties: false,
  },
} as const;

function rememberTool(withRelations: boolean): Tool {
  return tool({
    name: "remember",
    description:
      "Keeps a short text for later conversations. Give a name to what can change, such as home town: what was known under that name is then replaced.",
    inputSchema: {
      type: "object",
      properties: {
        text: {
          type: "string",
          minLength: 1,
          maxLength: longestText,
          description: "One thing, in one or two sentences.",
        },
        kind: kindSchema,
        name: { type: "string", minLength: 1, maxLength: 200, description: "What it is about." },
        ...(withRelations && { relations: relationsSchema }),
      },
      required: ["text"],
      additionalProperties: false,
    },
    sideEffectClass: "side-effecting",
    idempotencyKey: "call",
    flow: { payload: withRelations ? ["text", "name", "relations"] : ["text", "name"], readers: toNobody },
    output: ownWords,
    execute: async (input, ctx) => {
      const { text, kind, name, relations } = input as { readonly text: string } & RememberOptions;
      return { id: await memoryOf(ctx).remember(text, { kind, name, relations }) };
    },
  }) as Tool;
}

function recallTool(): Tool {
  return tool({
    name: "recall",
    description: "Looks for what was kept in earlier conversations, by words and meaning.",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 2_000 },
        limit: { type: "integer", minimum: 1, maximum: 50, default: 8 },
        kinds: { type: "array", items: { type: "string", enum: Object.keys(kinds) } },
      },
      required: ["query"],
      additionalProperties: false,
    },
    sideEffectClass: "read-only",
    // The label of the found memories joins the result.
    output: ownWords,
    execute: async (input, ctx) => {
      const { query, limit, kinds: some } = input as { query: string; limit?: number; kinds?: readonly MemoryKind[] };
      const found = await memoryOf(ctx).recall(query, { limit, kinds: some });
      return found.map(({ id, kind, name, text, integrity, why }) => ({
        id,
        kind,
        ...(name !== undefined && { name }),
        text,
        integrity,
        why,
      }));
    },
  }) as Tool;
}

function forgetTool(): Tool {
  return tool({
    name: "forget",
    description: "Deletes a memory, with those that were derived from it. Ids are shown beside recalled memories.",
    inputSchema: {
      type: "object",
      properties: { id: { type: "string", minLength: 1, maxLength: 200 } },
      required: ["id"],
      additionalProperties: false,
    },
    sideEffectClass: "side-effecting",
    idempotencyKey: "call",
    flow: { authority: ["id"], readers: toNobody },
    output: ownWords,
    execute: async (input, ctx) => {
      const { id } = input as { id: string };
      await memoryOf(ctx).forget(id);
      return { forgotten: id };
    },
  }) as Tool;
}

function blockTool(blocks: Readonly<Record<string, BlockOptions>>): Tool | undefined {
  const names = Object.keys(blocks);
  if (names.length === 0) return undefined;
  const lines = names.map((name) => {
    const { limit = longestText, description } = blocks[name] ?? {};
    return `${name} (at most ${limit} characters)${description === undefined ? "" : `: ${description}`}`;
  });
  return tool({
    name: "edit_memory_block",
    description: `Rewrites a block of your memory. You always see all blocks. ${lines.join("; ")}`,
    inputSchema: {
      type: "object",
      properties: {
        block: { type: "string", enum: names },
        text: { type: "string", minLength: 1, maxLength: longestText, description: "All that the block is to hold." },
      },
      required: ["block", "text"],
      additionalProperties: false,
    },
    sideEffectClass: "side-effecting",
    idempotencyKey: "call",
    flow: { authority: ["block"], payload: ["text"], readers: toNobody },
    output: ownWords,
    execute: async (input, ctx) => {
      const { block, text } = input as { block: string; text: string };
      return { id: await memoryOf(ctx).remember(text, { kind: "working", name: block }) };
    },
  }) as Tool;
}

function memoryOf(ctx: ToolExecutionContext): MemoryAccess {
  if (ctx.memory !== undefined) return ctx.memory;
  throw new ToolError("This run has no memory.", { kind: "execution_failed" });
}
