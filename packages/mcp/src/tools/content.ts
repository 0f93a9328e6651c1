import type { ContentPart } from "@bailiwick/core";
import type { GetPromptResult, Prompt, ReadResourceResult, Resource } from "@modelcontextprotocol/client";
import { partOf, resourcePart } from "./tool-result.ts";

/** A prompt that a server offers. */
export interface McpPrompt {
  /** Name of the prompt. */
  readonly name: string;
  /** The server's description; untrusted text. */
  readonly description?: string | undefined;
  /** Arguments that the prompt takes. */
  readonly arguments: readonly {
    readonly name: string;
    readonly description?: string | undefined;
    readonly required: boolean;
  }[];
}

/** A message of a prompt. Its parts are marked untrusted: a server wrote them. */
export interface McpPromptMessage {
  /** Author of the message. */
  readonly role: "user" | "assistant";
  /** Content of the message. */
  readonly content: readonly ContentPart[];
}

/** A resource that a server offers. */
export interface McpResource {
  /** Address of the resource. */
  readonly uri: string;
  /** Name of the resource. */
  readonly name: string;
  /** The server's description; untrusted text. */
  readonly description?: string | undefined;
  /** Type of its content, such as `text/markdown`. */
  readonly mimeType?: string | undefined;
}

/** A prompt as listed. */
export function promptOf({ name, description, arguments: given = [] }: Prompt): McpPrompt {
  return {
    name,
    ...(description !== undefined && { description }),
    arguments: given.map((one) => ({
      name: one.name,
      ...(one.description !== undefined && { description: one.description }),
      required: one.required === true,
    })),
  };
}

/** The messages of a prompt. */
export function messagesOf({ messages }: GetPromptResult): readonly McpPromptMessage[] {
  return messages.map(({ role, content }) => ({ role, content: [untrusted(partOf(content))] }));
}

/** A resource as listed. */
export function resourceOf({ uri, name, description, mimeType }: Resource): McpResource {
  return {
    uri,
    name,
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
  };
}

/** The contents of a resource. */
export function contentsOf({ contents }: ReadResourceResult): readonly ContentPart[] {
  return contents.map((one) => untrusted(resourcePart(one)));
}

function untrusted(part: ContentPart): ContentPart {
  return { ...part, untrusted: true };
}
