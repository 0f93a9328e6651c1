import type { JournalEvent, JournalEventType } from "./journal-event.ts";
import type { JsonValue } from "./json.ts";
import type { Message } from "./message.ts";
import type { RunContext } from "./run-context.ts";
import type { RunSettings } from "./run-options.ts";
import type { TokenUsage } from "./token-usage.ts";
import type { Tool } from "./tool.ts";
import type { SideEffectClass } from "./vocabularies.ts";

type Awaitable<T> = T | Promise<T>;

/** Run, turn and durable state, as an extension gets them. */
export interface ExtensionContext<State extends JsonValue = JsonValue> {
  /** The run that is being extended; for a run inside a tool call, the inner one. */
  readonly run: RunContext;
  /** Number of the turn, from 1; 0 before the first model call. */
  readonly turn: number;
  /** The extension's own state, frozen. It is shared with the runs inside tool calls, and survives a crash. */
  readonly state: State | undefined;
  /** Replaces the extension's state; a JSON value, journaled at once. */
  setState(state: State): void;
}

/** The settings that an extension may make stricter. */
export type ExtensionOptions = Pick<RunSettings, "approval" | "flow" | "guardrails" | "budget">;

/** Text that an extension adds to the conversation. */
export interface InsertedText {
  /** The text. */
  readonly text: string;
  /** `verified`: the text is trusted. Default: untrusted, wherever it came from. */
  readonly integrity?: "verified" | undefined;
}

/** A call before it runs. */
export interface GatedCall {
  /** Id of the tool call, unique in the run. */
  readonly toolCallId: string;
  /** Name of the tool. */
  readonly toolName: string;
  /** Valid arguments; a copy. */
  readonly args: unknown;
  /** The effect of the tool. */
  readonly sideEffectClass: SideEffectClass;
}

/**
 * An extension's verdict on a call. Verdicts of several extensions join: `refuse` wins over `ask`, `ask` over nothing.
 * None allows a call that another rule stops.
 */
export type GateVerdict =
  /** The call does not run; the model reads the reason. */
  | { readonly refuse: string }
  /** Asks a person, with this reason. */
  | { readonly ask: string }
  /** Runs the call with these arguments: they are validated, and every gate runs again. */
  | { readonly args: unknown };

/** A result before the model reads it. */
export interface GatedResult {
  /** Id of the tool call, unique in the run. */
  readonly toolCallId: string;
  /** Name of the tool. */
  readonly toolName: string;
  /** Valid arguments; a copy. */
  readonly args: unknown;
  /** The text that the model would read. */
  readonly text: string;
  /** True if the call failed. */
  readonly isError: boolean;
}

/** An extension's verdict on a result. */
export type ResultVerdict =
  | {
      readonly replaceResult: string;
      /** `kept`: the text contains only parts of the result, and keeps its label. Default: it is untrusted. */
      readonly integrity?: "kept" | undefined;
    }
  /** The model reads this reason in place of the result. */
  | { readonly withhold: string };

/**
 * A part that is added to an agent or a run: it can tighten what a run may do, change what the model reads, and watch.
 * It cannot allow a call, decide an approval, or write records other than its own state. Calls of runs inside tool calls
 * (agents as tools, handoffs, compositions, programs) pass the extensions of the outer run too.
 *
 * Deciding functions have 10 seconds. One that throws or takes longer fails closed: the call is refused, the result is
 * withheld, the run stops.
 *
 * @example
 * ```ts
 * import type { Extension } from "@bailiwick/core";
 *
 * export const noDeletes: Extension = {
 *   name: "no-deletes",
 *   gate: ({ toolName }) => (toolName.startsWith("delete_") ? { refuse: "Deleting is switched off." } : undefined),
 * };
 * ```
 */
export interface Extension<State extends JsonValue = JsonValue> {
  /** Unique within a run; names its state, its failures and its verdicts. */
  readonly name: string;
  /** State of a run that has none yet. */
  readonly initialState?: State | undefined;
  /** Tools that join the agent's; for extensions of agents only. */
  readonly tools?: readonly Tool[] | undefined;
  /** Settings that only tighten: the stricter of these and the agent's hold. */
  readonly options?: ExtensionOptions | undefined;
  /**
   * Called before each model call. Changes messages by their ids, for this request only, and returns texts that join
   * the conversation.
   */
  beforeModel?(
    turn: { readonly messages: readonly Message[] },
    ctx: ExtensionContext<State>,
  ): Awaitable<{ readonly messages?: readonly Message[]; readonly insert?: readonly InsertedText[] } | void>;
  /** Called before each call runs; again if its arguments change, and when a resumed run continues with it. */
  gate?(call: GatedCall, ctx: ExtensionContext<State>): Awaitable<GateVerdict | void>;
  /** Called before the model reads a result. */
  result?(result: GatedResult, ctx: ExtensionContext<State>): Awaitable<ResultVerdict | void>;
  /**
   * Called after each turn with tool calls; `stop` ends the run as `stopped_by_hook`, with the reason in `warnings`.
   */
  afterTurn?(
    turn: { readonly usage: TokenUsage },
    ctx: ExtensionContext<State>,
  ): Awaitable<{ readonly stop: string } | void>;
  /** Called before an answer ends the run; `continueWith` asks the model again, within `maxTurns`. */
  beforeEnd?(
    end: { readonly text: string },
    ctx: ExtensionContext<State>,
  ): Awaitable<{ readonly continueWith: InsertedText } | void>;
  /** Hears records of these types, frozen; nothing waits for it. */
  readonly onRecord?: { readonly types: readonly JournalEventType[]; hear(record: JournalEvent): unknown } | undefined;
}
