import type { Message } from "../contracts/message.ts";
import type { Owner } from "../contracts/owner.ts";
import type { BlobStore } from "../contracts/ports/blob-store.ts";
import type { Tool } from "../contracts/tool.ts";
import { BailiwickError } from "../errors/bailiwick-error.ts";
import { ToolError } from "../errors/tool-error.ts";
import { lazyPart } from "../loading/lazy-part.ts";
import { formatPath } from "./paths.ts";
import type { ResultPage } from "./result-page.ts";
import type { ToolExecutionContext } from "../contracts/tool-context.ts";

const pages = lazyPart("The reading of long results", () => import("./result-page.ts"));

/** Name of the tool that reads spilled results. */
export const READ_RESULT = "read_result";

/** Default size of a page in characters; a page always fits into the tool's own result limit. */
const DEFAULT_PAGE = 8_000;
const LARGEST_PAGE = 16_000;

const MENTION = /read_result\(\{"handle":"[0-9a-f]{64}"/u;

/** The handles that appear in a text, also inside JSON. */
export function shownHandles(text: string): readonly string[] {
  return [...text.matchAll(/read_result\(\{\\*"handle\\*":\\*"([0-9a-f]{64})\b/g)].map((match) => match[1] as string);
}

/** True if a conversation contains a handle for `read_result`. */
export function mentionsSpilledResult(messages: readonly Message[]): boolean {
  return messages.some((message) => {
    if (message.role !== "tool") return false;
    if (typeof message.content === "string") return MENTION.test(message.content);
    return message.content.some((part) => part.type === "text" && MENTION.test(part.text));
  });
}

/** The tool that reads results that were too long to show: page by page as text, or in parts of a JSON value. */
export function readResultTool(blobs: BlobStore): Tool<unknown, ResultPage> {
  return {
    name: READ_RESULT,
    description:
      "Reads a result that was too long to show. Without path: the text from offset on. With path, for JSON: that part of the value, such as items[3].text; offset then counts items, members or characters.",
    inputSchema: {
      type: "object",
      properties: {
        handle: { type: "string", pattern: "^[0-9a-f]{64}$", description: "The handle from the shortened result." },
        path: { type: "string", maxLength: 1_000, description: "Where in a JSON value, such as orders[0].lines." },
        offset: { type: "integer", minimum: 0, default: 0, description: "Where to start." },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: LARGEST_PAGE,
          default: DEFAULT_PAGE,
          description: "How many characters at most.",
        },
      },
      required: ["handle"],
      additionalProperties: false,
    },
    sideEffectClass: "read-only",
    // The page is part of some tool's result, by any author.
    output: { integrity: "untrusted" },
    defer_loading: true,
    maxResultTokens: 2 * LARGEST_PAGE,
    truncationStrategy: "middle",
    execute: (input, ctx) => readPage(blobsOfRun.get(ctx) ?? blobs, input as ReadResultInput, ctx),
  };
}

interface ReadResultInput {
  readonly handle: string;
  readonly path?: string;
  readonly offset?: number;
  readonly limit?: number;
}

async function readPage(blobs: BlobStore, input: ReadResultInput, owner: Owner): Promise<ResultPage> {
  const { handle, path, offset = 0, limit = DEFAULT_PAGE } = input;
  const text = await load(blobs, handle, owner);
  if (path === undefined) return pages(({ pageOfText }) => pageOfText(text, offset, limit));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse("This result is plain text and has no paths. Read it by offset, without path.");
  }
  return pages(({ pageOfJson }) => pageOfJson(value, path, offset, limit, { formatPath, refuse }));
}

async function load(blobs: BlobStore, handle: string, owner: Owner): Promise<string> {
  try {
    const text = await readSpilled(blobs, handle, owner);
    if (text !== undefined) return text;
  } catch (cause) {
    if (!BailiwickError.isInstance(cause) || cause.code !== "BLOB_NOT_FOUND") throw cause;
  }
  throw refuse(`No result has the handle "${handle}". Copy it exactly from the shortened result.`);
}

function refuse(message: string): ToolError {
  return new ToolError(message, { kind: "invalid_input" });
}

/**
 * Stores a result that is too long to show. The owner is part of the stored bytes, and so of the handle: runs of
 * another owner cannot read it, even with the handle.
 *
 * @returns the handle.
 */
export async function writeSpilled(blobs: BlobStore, text: string, owner: Owner): Promise<string> {
  return blobs.putBlob(new TextEncoder().encode(head(owner) + text));
}

/**
 * Reads what `writeSpilled` stored.
 *
 * @returns `undefined` for another owner's result, and for any other blob.
 * @throws BlobNotFoundError
 */
export async function readSpilled(blobs: BlobStore, handle: string, owner: Owner): Promise<string | undefined> {
  const stored = new TextDecoder().decode(await blobs.getBlob(handle));
  const expected = head(owner);
  return stored.startsWith(expected) ? stored.slice(expected.length) : undefined;
}

function head({ tenantId, userId }: Owner): string {
  return `${JSON.stringify({ spilledBy: [tenantId ?? null, userId ?? null] })}\n`;
}

const blobsOfRun = new WeakMap<ToolExecutionContext, BlobStore>();

/** Notes the blobs of a context's run: an agent inside another one's call uses those of the outer run. */
export function keepBlobsOf(ctx: ToolExecutionContext, blobs: BlobStore): void {
  blobsOfRun.set(ctx, blobs);
}
