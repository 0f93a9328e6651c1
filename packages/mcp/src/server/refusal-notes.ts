import { BailiwickError, ConfigurationError } from "@bailiwick/core";
import type { McpServerOptions } from "./options.ts";

/**
 * Creates a function that reports, once for each tool, that a call was refused because no person could decide. Clients
 * see this in each result; the operator can change it.
 */
export function refusalNotes(
  { name, questions = "refuse" }: McpServerOptions,
  onError: (error: unknown) => void,
): (toolName: string) => void {
  const noted = new Set<string>();
  return (toolName) => {
    if (noted.has(toolName)) return;
    noted.add(toolName);
    const [why, remedy] =
      questions === "refuse"
        ? [
            'questions is "refuse"',
            'Set questions: "elicit" to ask the client\'s user, or argumentsFrom: "user" if only the user drives the client',
          ]
        : [
            "its client offers no form for the question (elicitation)",
            'Use a client that does, or set argumentsFrom: "user" if only the user drives the client',
          ];
    onError(
      new ConfigurationError(
        "MCP_CALL_REFUSED",
        `MCP server "${name}" refused a call of "${toolName}": a person has to decide about it first, and ${why}. ${remedy}.`,
      ),
    );
  };
}

/** Writes an error on the error stream: a refused call as one line, a failure with its cause. */
export function report(name: string, error: unknown): void {
  if (BailiwickError.isInstance(error) && error.code === "MCP_CALL_REFUSED") console.error(error.message);
  else console.error(`MCP server "${name}": a call failed.`, error);
}
