/**
 * Tools of an agent, and the agent itself, as an MCP server, over HTTP and stdio.
 *
 * @module server
 */
export { anyone, mcpServer } from "./mcp-server.ts";
export type { BailiwickMcpServer, McpHttpHandler } from "./mcp-server.ts";
export type { McpHttpServing } from "./http-serving.ts";
export type { SessionLimits } from "./http-sessions.ts";
export type { AskTool, McpServerOptions } from "./options.ts";
export type { McpCaller, ServedAgent } from "./served-agent.ts";
export { askClient } from "./client-requests.ts";
export type { ClientAnswer, ClientRequest } from "./client-requests.ts";
export type { Completion } from "./completion.ts";
export type { PromptArgument, PromptContext, PromptMessage, ServedPrompt } from "./prompts.ts";
export type { TaskOptions, ToolTaskOptions } from "./task-options.ts";
export type { ResourceContent, ResourceRequest, ServedResource } from "./resources.ts";
