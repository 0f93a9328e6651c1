import { reasonOf } from "../reason.ts";
import { McpError } from "../errors.ts";
import type { McpOptions } from "../options.ts";
import { authorize } from "./authorize.ts";
import type { OAuthProvider } from "./oauth.ts";

/**
 * Exchanges the code from a browser's callback for tokens.
 *
 * @throws McpError `MCP_AUTHORIZATION_REFUSED`
 */
export async function finishOf(options: McpOptions, callbackUrl: string | URL): Promise<void> {
  const { name } = options;
  const refuse = (why: string, cause?: unknown): McpError =>
    new McpError(
      "MCP_AUTHORIZATION_REFUSED",
      name,
      `The authorization for the MCP server "${name}" was not accepted: ${why}`,
      { cause },
    );
  if (options.command !== undefined || options.auth === undefined)
    throw refuse(`no sign-in is open. Give "auth: oauth({ … })" to mcp().`);
  const { searchParams } = new URL(callbackUrl);
  const provider = options.auth as Partial<OAuthProvider> & typeof options.auth;
  if (provider.takeState !== undefined && !(await provider.takeState(searchParams.get("state"))))
    throw refuse("it was not begun here, or was finished before. Begin again.");
  const code = searchParams.get("code");
  if (code === null) throw refuse("the authorization server refused it, or the address is incomplete.");
  const iss = searchParams.get("iss");
  try {
    const result = await authorize(options, provider, { authorizationCode: code, ...(iss !== null && { iss }) });
    if (result !== "AUTHORIZED") throw new Error("the authorization server requires it again");
  } catch (error) {
    throw refuse(`${reasonOf(error)}.`, error);
  }
}
