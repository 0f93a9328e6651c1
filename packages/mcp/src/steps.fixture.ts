import { McpServer } from "@modelcontextprotocol/server";

/** A server whose only tool continues when the test releases it. */
export interface StepsServer {
  readonly make: () => McpServer;
  /** Calls that began, and those that were cancelled. */
  readonly begun: string[];
  readonly cancelled: string[];
  /** Reports progress. */
  step(): Promise<void>;
  /** Ends the pending call. */
  finish(): void;
}

/** Makes one. */
export function stepsServer(): StepsServer {
  const begun: string[] = [];
  const cancelled: string[] = [];
  let step: () => Promise<void> = async () => undefined;
  let finish = (): void => undefined;
  const make = (): McpServer => {
    const server = new McpServer({ name: "steps", version: "1" });
    server.registerTool("work", { description: "Works." }, async (ctx) => {
      let done = 0;
      const progressToken = ctx.mcpReq._meta?.progressToken;
      step = async () => {
        done += 1;
        if (progressToken === undefined) return;
        const params = { progressToken, progress: done, total: 10, message: `step ${done}` };
        await ctx.mcpReq.notify({ method: "notifications/progress", params });
      };
      ctx.mcpReq.signal.addEventListener("abort", () => void cancelled.push("work"));
      await new Promise<void>((resolve) => {
        finish = resolve;
        ctx.mcpReq.signal.addEventListener("abort", () => resolve());
        begun.push("work");
      });
      return { content: [{ type: "text", text: "worked" }] };
    });
    return server;
  };
  return { make, begun, cancelled, step: () => step(), finish: () => finish() };
}
