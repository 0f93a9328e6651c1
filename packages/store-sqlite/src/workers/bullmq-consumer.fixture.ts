import { appendFileSync } from "node:fs";
import { BailiwickError, createAgentRuntime, tool, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { z } from "zod";
import { sqliteStore } from "../sqlite-store.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const forever = (): Promise<never> => new Promise(() => undefined);

/** An agent that writes a line, reads, writes a second line, and answers. Its effects have no key. */
export function twoLines(store: RunStore, effects: string, holdAt?: string): AgentRuntime {
  const note = (line: string): void => appendFileSync(effects, `${line} ${process.pid}\n`);
  const write = tool({
    name: "write",
    description: "Writes a line.",
    inputSchema: z.object({ line: z.string() }),
    sideEffectClass: "external-stateful",
    execute({ line }) {
      note(line);
      return line === holdAt ? forever() : "written";
    },
  });
  const look = tool({
    name: "look",
    description: "Looks.",
    inputSchema: z.object({ at: z.string() }),
    sideEffectClass: "read-only",
    execute({ at }) {
      note(`look-${at}`);
      return holdAt === `look-${at}` ? forever() : "seen";
    },
  });
  const model = scriptedModel(({ messages, lastUserText }) => {
    const line = (n: number) => ({ toolCalls: [{ name: "write", arguments: { line: `${lastUserText}-${n}` } }] });
    const steps = [line(1), { toolCalls: [{ name: "look", arguments: { at: lastUserText } }] }, line(2), "Done."];
    return steps[messages.filter(({ role }) => role === "tool").length] ?? "Done.";
  });
  return createAgentRuntime({
    name: "writer",
    model,
    tools: [write, look],
    store,
    leaseMs: 1_000,
    logger: quiet,
    flow: "off",
  });
}

export const again = { attempts: 100, backoff: { type: "fixed", delay: 200 } } as const;

/** Drives the run of a job, as in the guide. */
export async function consume(queue: Queue, agent: AgentRuntime, runId: string): Promise<void> {
  try {
    const { wakeAt } = await agent.resume(runId);
    if (wakeAt !== undefined) await queue.add("run", { runId }, { ...again, delay: Math.max(0, wakeAt - Date.now()) });
  } catch (error) {
    const retryable = (error as { readonly retryable?: boolean }).retryable === true;
    if (retryable || (BailiwickError.isInstance(error) && error.code === "RUN_BUSY")) throw error;
  }
}

const [program, port, name, path, effects, holdAt] = process.argv.slice(1);
if (program?.includes("bullmq-consumer.fixture") === true && name !== undefined && effects !== undefined) {
  const connection = new Redis({ host: "127.0.0.1", port: Number(port), maxRetriesPerRequest: null });
  const agent = twoLines(sqliteStore({ path: path ?? "" }), effects, holdAt);
  const queue = new Queue(name, { connection });
  const worker = new Worker<{ runId: string }>(name, ({ data }) => consume(queue, agent, data.runId), {
    connection,
    concurrency: 4,
    // A job whose process died is delivered again after seconds instead of half a minute, any number of times.
    lockDuration: 2_000,
    stalledInterval: 1_000,
    maxStalledCount: 100,
  });
  // A process that paused for longer than its lock reports that it lost the job.
  worker.on("error", () => undefined);
}
