import type { ToolFailure } from "@bailiwick/core";

/** Makes the text about a failed call for clients. */
export type ToolErrorText = (failure: ToolFailure | undefined, toolName: string) => string;

/**
 * Makes the texts of failed calls.
 *
 * @param exposeErrors - `true` shows the messages of failures. Default: only their kind, because a message may name
 *   internals.
 */
export function toolErrorText(exposeErrors: boolean): ToolErrorText {
  if (exposeErrors) return (failure) => failure?.message ?? "The call failed.";
  return (failure, toolName) =>
    failure === undefined ? `"${toolName}" failed.` : `"${toolName}" failed (${failure.kind}).`;
}
