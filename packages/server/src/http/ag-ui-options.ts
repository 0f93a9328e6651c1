import { checkKnownNames, ConfigurationError, type ClientToolDefinition, type SessionStore } from "@bailiwick/core";

/** The operator's declarations about one tool of a page. */
export type PageToolTerms = Pick<ClientToolDefinition, "sideEffectClass" | "needsApproval">;

/** Rights of AG-UI clients to extend a run. */
export interface AgUiOptions {
  /**
   * Tools of the page: `true` accepts them as foreign writers under the flow policy, `false` refuses requests with
   * tools, and an object accepts only the tools that it names, with your declarations about each. Default `true`.
   */
  readonly tools?: boolean | Readonly<Record<string, PageToolTerms>> | undefined;
  /** Keys of the session's state that a page may read and write. Default: none. */
  readonly state?: { readonly session: SessionStore; readonly keys: readonly string[] } | undefined;
}

/**
 * Refuses invalid options.
 *
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 */
export function checkAgUiOptions(options: AgUiOptions | undefined): void {
  if (options === undefined) return;
  checkKnownNames(options, ["tools", "state"], '"agUi"');
  const { tools, state } = options;
  if (typeof tools === "object")
    for (const [name, terms] of Object.entries(tools))
      checkKnownNames(terms, ["sideEffectClass", "needsApproval"], `"agUi.tools.${name}"`);
  if (state === undefined) return;
  checkKnownNames(state, ["session", "keys"], '"agUi.state"');
  if (
    typeof (state.session as Partial<SessionStore> | undefined)?.writeState !== "function" ||
    !Array.isArray(state.keys)
  )
    throw new ConfigurationError(
      "INVALID_OPTION",
      '"agUi.state" needs "session", the store of the agent\'s sessions, and "keys", the names that a page may use.',
    );
}
