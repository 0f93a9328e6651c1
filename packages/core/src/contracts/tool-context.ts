import type { JsonValue } from "./json.ts";
import type { Message } from "./message.ts";
import type { Logger } from "./ports/logger.ts";
import type { MemoryAccess } from "./ports/memory-store.ts";
import type { SecretAccess } from "./ports/secrets.ts";
import type { RunContext } from "./run-context.ts";
import type { InheritedRunOptions } from "./run-options.ts";
import type { Schema } from "./schema.ts";
import type { TokenUsage } from "./token-usage.ts";

/** The schema that endorses a value, and its name for the audit. It accepts only values that are safe to act on. */
export interface Endorser<T = unknown> {
  /** Name of the value. */
  readonly name: string;
  /** Validates the value. */
  readonly schema: Schema<T>;
}

/**
 * A number that grows each time a run goes to another process. Fences of one run can be compared, as numbers and as
 * texts; for a resource that several runs share, use the idempotency key.
 */
export interface Fence {
  /** Id of the run. */
  readonly run: string;
  /** Number of the lease under which this process drives the run. */
  readonly epoch: number;
  /** `<run>/<epoch>`, with 12 digits for the epoch. */
  toString(): string;
}

/**
 * The context of a tool call: the second parameter of `execute`. Frozen; its rights are bound to this one object.
 *
 * @example
 * ```ts
 * import { tool, type ToolExecutionContext } from "@bailiwick/core";
 * import { z } from "zod";
 *
 * interface Shop {
 *   stock(sku: string, signal: AbortSignal): Promise<number>;
 * }
 *
 * export const checkStock = tool({
 *   name: "check_stock",
 *   description: "Returns how many pieces of an article are in stock.",
 *   inputSchema: z.object({ sku: z.string() }),
 *   sideEffectClass: "read-only",
 *   execute: async ({ sku }, ctx: ToolExecutionContext<Shop>) => {
 *     ctx.logger.info("stock is read", { runId: ctx.runId, toolCallId: ctx.toolCallId });
 *     return { pieces: await ctx.dependencies.stock(sku, ctx.signal) };
 *   },
 * });
 * ```
 */
export interface ToolExecutionContext<Dependencies = unknown> extends RunContext<Dependencies> {
  /** Id of the call. */
  readonly toolCallId: string;
  /** Name of the tool. */
  readonly toolName: string;
  /** The conversation so far, read-only. */
  readonly messages: readonly Message[];
  /** Turn of the run, from 1. */
  readonly step: number;
  /** Attempt of this call, from 1. */
  readonly attempt: number;
  /** The same object as `signal`, under the name that the AI SDK uses. */
  readonly abortSignal: AbortSignal;
  /** Resolves only the names in the tool's `secretsAllowed`. */
  readonly secrets: SecretAccess;
  /** `fetch` that substitutes host-bound secrets. */
  readonly fetch: typeof fetch;
  /** Present when the agent has memory; bound by the tool's `memoryGuardTier`. */
  readonly memory?: MemoryAccess | undefined;
  /** The agent's logger. */
  readonly logger: Logger;
  /**
   * Appends to the tool's streamed output. Only with `streamingHint: true`.
   *
   * @param text - The next piece of the output.
   */
  streamContent(text: string): void;
  /**
   * Reports progress to events. Only with `streamingHint: true`.
   *
   * @param progress - A `message` for people, the finished `fraction` from 0 to 1, and `data` for your own page.
   */
  reportProgress(progress: { readonly message?: string; readonly fraction?: number; readonly data?: JsonValue }): void;
  /** The same on every attempt and after resume; present when the tool has one. */
  readonly idempotencyKey?: string | undefined;
  /**
   * The right of this process to act for the run. A system that compares it refuses a process that lost the run: send
   * `String(ctx.fence)`.
   */
  readonly fence: Fence;
  /** The digest that the tool's `preview` gave, as the person approved it; absent for a tool without one. */
  readonly preview?: { readonly digest: string } | undefined;
  /** Usage of the run so far. */
  readonly usage: TokenUsage;
  /**
   * Asks a person. The run suspends as `awaiting_answer`; on resume `execute` starts again from its top and this
   * call returns the validated answer. A writer asks only before its first effect.
   *
   * @param question - The text that the person reads, and the `schema` of the answer. `key` names the question if the
   *   order of questions may change between attempts; default: its number.
   * @returns the answer, parsed by the schema.
   */
  ask<T>(question: { readonly question: string; readonly schema: Schema<T>; readonly key?: string }): Promise<T>;
  /**
   * Sleeps, also across the end of the process. The attempt ends here and the run suspends as `sleeping`; when the
   * time has come and a worker or the caller resumes the run, `execute` starts again from its top and this call
   * returns. A writer sleeps only before its first effect.
   *
   * @param nap - Duration in milliseconds, or the end in milliseconds since the epoch. `key` names the sleep if the
   *   order of sleeps may change between attempts; default: its number.
   */
  sleep(
    nap: ({ readonly ms: number } | { readonly wakeAt: number }) & { readonly key?: string | undefined },
  ): Promise<void>;
  /**
   * Endorses a quarantined value: if the validator accepts it, its reference counts as `verified` for the rest of the run,
   * and the model may use it in arguments that need trusted values. Journaled as `flow.lowered`. A literal value in the
   * arguments is validated and returned, but its label stays.
   *
   * @param ref - Path of an argument of this call, such as `iban`, or a reference (`$ref:…`).
   * @param validator - Accepts only values that are safe to act on, for any author: members of a list, for example. A
   *   well-formed value is not enough.
   * @param reason - Why the value is safe; shown in the audit.
   * @returns The validator's output; the reference still refers to the original value.
   * @throws EndorsementError `ENDORSEMENT_REFUSED` when the validator refuses or throws, `ENDORSEMENT_IMPOSSIBLE` if
   *   there is no such value, or the tool is not first-party: the label is unchanged.
   */
  endorse<T>(ref: string, validator: Endorser<T>, reason: string): Promise<T>;
  /** Options that a child run inherits: spread them into the child's options. */
  readonly runOptions: InheritedRunOptions;
}

/** The context of a sandboxed tool, as messages over the framed channel. */
export interface SandboxedToolContext {
  /** Id of the call. */
  readonly toolCallId: string;
  /** Name of the tool. */
  readonly toolName: string;
  /** Id of the run. */
  readonly runId: string;
  /** Number of the turn, from 1. */
  readonly step: number;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Key of the call, the same on every attempt. */
  readonly idempotencyKey?: string | undefined;
  /** Values of the caller. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /**
   * Writes a line to the agent's log.
   *
   * @param message - One line of text.
   */
  log(message: string): void;
  /**
   * Reports the progress of the tool.
   *
   * @param progress - `message` for people, and `fraction` from 0 to 1.
   */
  reportProgress(progress: { readonly message?: string; readonly fraction?: number }): void;
  /** Requests a host that the sandbox allows. */
  readonly fetch: typeof fetch;
  /**
   * A placeholder for a secret in `secretsAllowed`: this context's `fetch` replaces it with the value, for the hosts
   * that the secret is bound to. The value itself never enters the sandbox.
   *
   * @param name - Name of the secret.
   * @param template - With `{}` for the secret; default `{}`.
   */
  secretHeader(name: string, template?: string): Promise<string>;
}
