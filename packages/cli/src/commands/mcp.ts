import { Option, type Command } from "commander";
import type { McpServerOptions } from "@bailiwick/mcp/server";
import { agentOf } from "../entry/load-entry.ts";
import { exitCodes } from "../exit-codes.ts";
import { listen } from "../serve/listen.ts";
import { untilStopped } from "../serve/until-stopped.ts";
import { targetAction, withTarget } from "./context.ts";
import { portNumber } from "./numbers.ts";
import { requireConfig } from "./require-config.ts";

/** Adds `bailiwick mcp`. */
export function addMcpCommand(program: Command): void {
  withTarget(program.command("mcp"))
    .description("serve the agents to clients of the Model Context Protocol, over standard input and output or HTTP")
    .option("--http <port>", "serve over HTTP on this machine; 0 takes a free port", portNumber)
    .addOption(
      new Option(
        "--questions <what>",
        "calls that a person has to approve: refuse them, or ask the client's user",
      ).choices(["refuse", "elicit"]),
    )
    .action(
      targetAction<{ http?: number; questions?: "refuse" | "elicit" }>(async ({ terminal, target, options }) => {
        // Standard output belongs to the protocol.
        console.log = console.error;
        console.info = console.error;
        const config = requireConfig(target, "mcp");
        const { anyone, mcpServer } = await import("@bailiwick/mcp/server");
        const [first, ...rest] = config.agents.map(agentOf);
        const server = mcpServer({
          name: first?.name ?? "bailiwick",
          agent: first as McpServerOptions["agent"],
          ...(rest.length > 0 && { agents: rest, ask: true }),
          ...config.mcp,
          ...(options.questions !== undefined && { questions: options.questions }),
        });
        if (options.http === undefined) {
          const serving = await server.stdio();
          await untilStopped(process.stdin);
          await serving.close();
          return exitCodes.done.code;
        }
        const handler = server.http({ authorize: anyone });
        const listening = await listen(handler.fetch, options.http);
        // A signal may follow as soon as the address is printed.
        const stopped = untilStopped();
        terminal.result({ url: listening.url }, () => `MCP server at ${listening.url}`);
        await stopped;
        await listening.close();
        await handler.close();
        return exitCodes.done.code;
      }),
    );
}
