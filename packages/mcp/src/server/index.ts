/**
 * Tools of an agent, and the agent itself, as an MCP server, over HTTP and stdio.
 *
 * @module
 */
export { anyone, mcpServer } from "./mcp-server.ts";
export type { BailiwickMcpServer, McpHttpHandler, McpHttpServing } from "./mcp-server.ts";
export type { AskTool, McpCaller, McpServerOptions, ServedAgent } from "./options.ts";
