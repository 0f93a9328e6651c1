import { createHash } from "node:crypto";
import { posix } from "node:path";
import { ToolError, toolReturn, type ContentPart, type ToolExecutionContext, type ToolReturn } from "@bailiwick/core";
import { labelOfCall, type Readers } from "@bailiwick/core/extension";
import type { OpenCopy } from "../copy/open-copy.ts";
import { root } from "../host/root.ts";
import { WorkspaceError } from "../workspace-error.ts";

/** The copy of a call. */
export type CopyOf = (ctx: Pick<ToolExecutionContext, "tenantId" | "root">) => OpenCopy;

const longestPath = 4_096;

/**
 * A path of the model as an absolute path inside; a relative one begins at the copy.
 *
 * @throws ToolError `PATH_INVALID`
 */
export function insidePath(path: string): string {
  if (path === "" || path.includes("\0") || !path.isWellFormed() || Buffer.byteLength(path) > longestPath)
    throw new ToolError("PATH_INVALID: a path has 1 to 4,096 bytes of UTF-8, without NUL.", { kind: "invalid_input" });
  return posix.resolve(root, path);
}

/** A result, with the readers of everything that is in the copy. */
export function fromCopy(copy: OpenCopy, output: string, contentParts?: readonly ContentPart[]): ToolReturn<string> {
  const { readers } = copy.state;
  return toolReturn({
    output,
    ...(contentParts !== undefined && { contentParts }),
    ...(readers !== "public" && { label: { readers } }),
  });
}

/** Readers of what a call writes. */
export function readersOf(ctx: object): Readers {
  return labelOfCall(ctx)?.readers ?? "public";
}

export const repeatedText: string =
  "This command was started before. The tracked files were restored first; ignored files, empty folders and .git are as the interrupted command left them.\n";

/** Errors of a workspace as the model reads them. */
export async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof WorkspaceError) throw new ToolError(`${cause.code}: ${cause.message}`, { cause });
    throw cause;
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** An input schema with these fields. */
export function fields(properties: Readonly<Record<string, object>>, required: readonly string[]): object {
  return { type: "object", properties, required, additionalProperties: false };
}
