import type { RunHandle, RunOutput } from "@bailiwick/core";
import type { ServerContext } from "@modelcontextprotocol/server";

/** Observes a run while it is followed. */
export interface RunWatch {
  /** Called with the first event: the run is stored. */
  readonly onStored: () => void;
  /** Receives the reports of tools after the request has been answered; `undefined` before. */
  report: ((message: string) => void) | undefined;
}

/**
 * Follows a run to its end. Reports of its tools are sent as progress to a client that asked for it, else as log messages.
 */
export async function followRun({ mcpReq }: ServerContext, handle: RunHandle, watch?: RunWatch): Promise<RunOutput> {
  const progressToken = mcpReq._meta?.progressToken;
  let last = -1;
  for await (const event of handle) {
    watch?.onStored();
    if (event.type !== "tool.progress") continue;
    const { message, fraction, toolName } = event;
    if (watch?.report !== undefined) {
      if (message !== undefined) watch.report(message);
      continue;
    }
    if (progressToken === undefined) {
      const data = message ?? (fraction === undefined ? undefined : `${Math.round(fraction * 100)} %`);
      // A client that has disconnected gets nothing.
      if (data !== undefined) await mcpReq.log("info", data, toolName).catch(() => undefined);
      continue;
    }
    // The protocol requires each number to be greater than the one before.
    const wanted = fraction === undefined ? Math.floor(last) + 1 : fraction * 100;
    last = wanted > last ? wanted : last + 0.001;
    const params = {
      progressToken,
      progress: last,
      ...(fraction !== undefined && { total: 100 }),
      ...(message !== undefined && { message }),
    };
    await mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  }
  return handle.result;
}
