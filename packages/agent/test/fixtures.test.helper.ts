import {
  tool,
  type Clock,
  type Logger,
  type RunEvent,
  type RunHandle,
  type RunOutput,
  type Tool,
} from "@bailiwick/core";
import { scriptedModel, type ScriptedModel, type ScriptStep } from "@bailiwick/testing";
import { z } from "zod";
import { Agent } from "../src/agent.ts";

/** Adds two numbers; reads nothing and changes nothing. */
export const add: Tool<{ a: number; b: number }, number, unknown, "add"> = tool({
  name: "add",
  description: "Adds two numbers.",
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  sideEffectClass: "pure",
  execute: ({ a, b }) => a + b,
});

/** A scripted step that calls `add`. */
export const addCall = (a: number = 1, b: number = 2): ScriptStep => ({
  toolCalls: [{ name: "add", arguments: { a, b } }],
});

/** A writer that counts how often it ran. */
export function counter(options: { readonly needsApproval?: boolean; readonly name?: string } = {}): {
  readonly write: Tool;
  readonly ran: string[];
} {
  const ran: string[] = [];
  const write = tool({
    name: options.name ?? "write",
    description: "Writes a line.",
    inputSchema: z.object({ line: z.string() }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    needsApproval: options.needsApproval ?? false,
    execute: ({ line }) => {
      ran.push(line);
      return `wrote ${line}`;
    },
  });
  return { write, ran };
}

/** A scripted step that calls the writer. */
export const writeCall = (line: string = "a"): ScriptStep => ({ toolCalls: [{ name: "write", arguments: { line } }] });

/** Characters and tokens that hide text, forge a terminal, or forge the conversation. */
export const hidden = {
  "zero-width": "\u200b",
  "a direction override": "\u202e",
  NUL: "\u0000",
  "a terminal escape": "\u001b[31m",
  "a chat-template token": "<|im_start|>",
  "a role element": "<system>",
  "a tag character": "\u{e0041}",
} as const;

/** A tool that reads verified data that a person approves. */
export const confirm: Tool = tool({
  name: "confirm",
  description: "Asks the user to confirm.",
  inputSchema: z.object({}),
  sideEffectClass: "read-only",
  output: { integrity: "verified", readers: "public" },
  needsApproval: true,
  execute: () => "ok",
}) as Tool;

/** A logger that keeps the messages it receives. */
export function listeningLogger(): Logger & { readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (message: string): void => void lines.push(message);
  return { lines, debug: () => undefined, info: keep, warn: keep, error: keep };
}

/** A logger that drops every message. */
export const quiet: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Options of an agent in tests of its tools: no flow policy, and no log. */
export const openAgent: { readonly name: "agent"; readonly logger: Logger; readonly flow: "off" } = {
  name: "agent",
  logger: quiet,
  flow: "off",
};

/** The minimum fields of a tool besides its function. */
export const plain: {
  readonly name: "t";
  readonly description: string;
  readonly inputSchema: z.ZodType<object>;
  readonly sideEffectClass: "pure";
} = { name: "t", description: "A tool.", inputSchema: z.object({}), sideEffectClass: "pure" };

/** A model that makes these calls first, then answers with the results that it reads. */
export function calls(
  ...toolCalls: readonly { readonly id?: string; readonly name: string; readonly arguments?: unknown }[]
): ScriptedModel {
  return scriptedModel((request) =>
    request.toolResults.length === 0
      ? { toolCalls: toolCalls as [] }
      : request.toolResults.map(({ text }) => text).join("\n"),
  );
}

/** Runs an agent whose model calls one tool once. */
export function runOne(one: Tool, args: unknown = {}, options: object = {}): Promise<RunOutput> {
  const model = calls({ name: one.name, arguments: args });
  return new Agent({ ...openAgent, model, tools: [one], ...options }).run("go");
}

/** A tool that runs until the test releases it. */
export function waiting(answer: string): { readonly wait: Tool; readonly open: () => void } {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const wait = tool({ ...plain, name: "wait", description: "Waits.", execute: () => gate.then(() => answer) });
  return { wait, open };
}

/** All events of a run, with the error that its iterator threw. */
export async function collect(handle: RunHandle): Promise<{ readonly events: RunEvent[]; readonly error: unknown }> {
  const events: RunEvent[] = [];
  try {
    for await (const event of handle) events.push(event);
    return { events, error: undefined };
  } catch (error) {
    return { events, error };
  }
}

/** The error that a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("The promise was expected to reject.");
}

/** A clock that the test moves, and whose timers fire immediately when they are due. */
export function movedClock(): Clock & { move(ms: number): void; readonly waits: number[] } {
  let now = 1_000_000;
  const timers = new Set<{ readonly due: number; readonly callback: () => void }>();
  const waits: number[] = [];
  return {
    now: () => now,
    waits,
    setTimer: (callback, delayMs) => {
      waits.push(delayMs);
      const timer = { due: now + delayMs, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    move(ms) {
      now += ms;
      for (const timer of [...timers].sort((a, b) => a.due - b.due))
        if (timer.due <= now && timers.delete(timer)) timer.callback();
    },
  };
}
