/**
 * Tools of an agent, and the agent itself, as an MCP server, over HTTP and stdio.
 *
 * @module
 */
export { anyone, mcpServer } from "./mcp-server.ts";
export type { BailiwickMcpServer, McpHttpHandler } from "./mcp-server.ts";
export type { McpHttpServing } from "./http-serving.ts";
export type { AskTool, McpCaller, McpServerOptions, ServedAgent } from "./options.ts";
