import { tool, toolReturn } from "@bailiwick/core";
import type { ContentPart, ServedTool, Tool, ToolReturn } from "@bailiwick/core";
import type { OpenClient } from "../connection/open-client.ts";
import type { RequestLimits } from "../connection/question.ts";
import { contentsOf, messagesOf, promptOf, resourceOf } from "./content.ts";
import type { McpOptions } from "../options.ts";

/** Requests of the server on an open connection. */
export type Ask = <T>(signal: AbortSignal, ask: (open: OpenClient, limits: RequestLimits) => Promise<T>) => Promise<T>;

/** Maximum number of entries of one list that a model reads. */
const mostEntries = 500;

/**
 * Creates the tools with which agents use a server's resources and prompts, if the operator enables them. They are
 * ordinary tools of the server: foreign, untrusted, and writers unless the operator classifies them as readers.
 */
export function offerTools({ name, resources, prompts }: McpOptions, ask: Ask): readonly ServedTool[] {
  const made: Tool[] = [];
  if (resources === true) made.push(listResources(name, ask), readResource(name, ask));
  if (prompts === true) made.push(listPrompts(name, ask), getPrompt(name, ask));
  return made.map((one) => ({ tool: one }));
}

const none = { type: "object", properties: {} } as const;

function listResources(server: string, ask: Ask): Tool {
  return tool({
    name: "list_resources",
    description: `Lists the resources of "${server}": their addresses and names.`,
    inputSchema: none,
    execute: (_input, ctx) =>
      ask(ctx.signal, async ({ client }, limits) =>
        (await client.listResources(undefined, limits)).resources.slice(0, mostEntries).map(resourceOf),
      ),
  });
}

function readResource(server: string, ask: Ask): Tool {
  return tool({
    name: "read_resource",
    description: `Reads a resource of "${server}" by its address.`,
    inputSchema: { type: "object", properties: { uri: { type: "string" } }, required: ["uri"] },
    execute: (input, ctx) =>
      ask(ctx.signal, async ({ client }, limits) =>
        shown(contentsOf(await client.readResource(input as { readonly uri: string }, limits))),
      ),
  });
}

function listPrompts(server: string, ask: Ask): Tool {
  return tool({
    name: "list_prompts",
    description: `Lists the prompts of "${server}" with their arguments.`,
    inputSchema: none,
    execute: (_input, ctx) =>
      ask(ctx.signal, async ({ client }, limits) =>
        (await client.listPrompts(undefined, limits)).prompts.slice(0, mostEntries).map(promptOf),
      ),
  });
}

function getPrompt(server: string, ask: Ask): Tool {
  return tool({
    name: "get_prompt",
    description: `Gets the text of a prompt of "${server}".`,
    inputSchema: {
      type: "object",
      properties: { name: { type: "string" }, arguments: { type: "object", additionalProperties: { type: "string" } } },
      required: ["name"],
    },
    execute: (input, ctx) =>
      ask(ctx.signal, async ({ client }, limits) => {
        const messages = messagesOf(await client.getPrompt(input as { readonly name: string }, limits));
        return shown(messages.flatMap(({ content }) => content));
      }),
  });
}

/** Texts as the output, and everything else as parts. */
function shown(parts: readonly ContentPart[]): ToolReturn<string> {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const others = parts.filter(({ type }) => type !== "text");
  return toolReturn({ output: texts.join("\n"), ...(others.length > 0 && { contentParts: others }) });
}
