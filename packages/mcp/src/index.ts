/**
 * Tools of MCP servers for agents: over stdio and HTTP, classified by their operator, pinned, and executed like any
 * tool. `@bailiwick/mcp/server` is the other side.
 *
 * @module main
 */
export { mcp } from "./mcp.ts";
export type { McpServerTools } from "./mcp.ts";
export type { McpCommonOptions, McpHttpOptions, McpOptions, McpStdioOptions, ReconnectOptions } from "./options.ts";
export type { McpPrompt, McpPromptMessage, McpResource } from "./tools/content.ts";
export type { ElicitationMode, QuestionAnswer, ServerQuestion } from "./questions.ts";
export type { McpRoot, SamplingOptions, SamplingRequest } from "./sampling-options.ts";
export { McpError } from "./errors.ts";
export type { McpErrorCode, McpErrorDetails } from "./errors.ts";
export { oauth } from "./oauth/oauth.ts";
export type { OAuthOptions, OAuthProvider } from "./oauth/oauth.ts";
export { clientCredentials } from "./oauth/client-credentials.ts";
export type { ClientCredentialsOptions } from "./oauth/client-credentials.ts";
export { enterpriseAssertion, jwtBearer } from "./oauth/jwt-bearer.ts";
export type { AssertionRequest, EnterpriseAssertionOptions, JwtBearerOptions } from "./oauth/jwt-bearer.ts";
export { memoryTokens } from "./oauth/token-store.ts";
export type { TokenStore } from "./oauth/token-store.ts";
