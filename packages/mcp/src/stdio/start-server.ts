import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import type { SandboxedChild, SandboxPort } from "@bailiwick/core";
import { createSandbox } from "@bailiwick/security/sandbox";
import { McpError } from "../errors.ts";
import type { McpStdioOptions } from "../options.ts";
import { reasonOf } from "../reason.ts";
import { spawnProcess } from "./spawn-process.ts";

/**
 * Starts a server's program: in a sandbox, unless its operator allowed all rights of this process. If there is no
 * sandbox, the program is not started: it never runs with less isolation than configured [mcp.stdio-in-os].
 *
 * @param agentSandbox - The agent's; without an agent, the default one.
 * @throws McpError `MCP_SANDBOX_REQUIRED`, `MCP_SERVER_ENDED`; SandboxUnavailableError and others of the sandbox.
 */
export async function startServer(
  options: McpStdioOptions,
  agentSandbox: SandboxPort | undefined,
  signal: AbortSignal,
): Promise<SandboxedChild> {
  const { name, command, args = [], cwd, sandbox } = options;
  if (sandbox === "none") return startUnsandboxed(options);
  const spawn = (agentSandbox ?? createSandbox()).spawn;
  if (spawn === undefined) {
    throw new McpError(
      "MCP_SANDBOX_REQUIRED",
      name,
      `The MCP server "${name}" (${command}) is third-party code, and this agent has no sandbox for it. Configure a sandbox, or set sandbox: "none" to give it all rights of this process.`,
    );
  }
  const config = { tier: "os", ...sandbox } as const;
  signal.throwIfAborted();
  return spawn({
    command,
    args,
    ...(cwd !== undefined && { cwd }),
    config: { ...config, env: { ...config.env, ...options.env } },
    trustClass: "mcp-derived",
    saidBy: "operator",
  });
}

async function startUnsandboxed({ name, command, args = [], env, cwd }: McpStdioOptions): Promise<SandboxedChild> {
  try {
    return await spawnProcess({ command, args, env: { ...getDefaultEnvironment(), ...env }, cwd });
  } catch (error) {
    throw new McpError(
      "MCP_SERVER_ENDED",
      name,
      `The program of the MCP server "${name}" (${command}) could not be started: ${reasonOf(error)}. Check that it is installed, and pass its absolute path.`,
      { cause: error },
    );
  }
}
