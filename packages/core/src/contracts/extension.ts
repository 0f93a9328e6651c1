import type { JournalEvent, JournalEventType } from "./journal-event.ts";
import type { JsonValue } from "./json.ts";
import type { Message } from "./message.ts";
import type { RunContext } from "./run-context.ts";
import type { RunSettings } from "./run-options.ts";
import type { TokenUsage } from "./token-usage.ts";
import type { Tool } from "./tool.ts";
import type { SideEffectClass } from "./vocabularies.ts";

type Awaitable<T> = T | Promise<T>;

/** Run, turn and durable state, as an extension sees them. */
export interface ExtensionContext<State extends JsonValue = JsonValue> {
  /** The run that is being extended; for a run inside a tool call, the inner one. */
  readonly run: RunContext;
  /** Number of the turn, from 1; 0 before the first model call. */
  readonly turn: number;
  /** The extension's own state, frozen. Runs inside tool calls share it, and it survives a crash. */
  readonly state: State | undefined;
  /**
   * Replaces the extension's state; a JSON value, journaled at once.
   *
   * @param state - The new state. It replaces the old one as a whole.
   */
  setState(state: State): void;
}

/** The settings that an extension may make stricter. */
export type ExtensionOptions = Pick<RunSettings, "approval" | "flow" | "guardrails" | "budget">;

/** Text that an extension adds to the conversation. */
export interface InsertedText {
  /** The text. */
  readonly text: string;
  /** `verified`: the text is trusted. Default: untrusted, whatever its source. */
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
  /** Present if the call only changes a copy, such as that of a workspace, which is restored before a repetition. */
  readonly contained?: true | undefined;
}

/**
 * An extension's verdict on a call. With several extensions, the strictest verdict counts: `refuse` wins over `ask`,
 * and `ask` over no verdict. No verdict allows a call that another rule stops.
 */
export type GateVerdict =
  /** The call does not run; the model reads the reason. */
  | { readonly refuse: string }
  /** Asks a person, with this reason. */
  | { readonly ask: string }
  /** Runs the call with these arguments: they are validated, and every gate is checked again. */
  | { readonly args: unknown };

/** A result before the model reads it. */
export interface GatedResult extends Omit<GatedCall, "sideEffectClass" | "contained"> {
  /** The text that the model will read. */
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
 * An addition to an agent or a run: it can restrict the run, change what the model reads, and observe. It cannot allow
 * a call, decide an approval, or write records other than its own state. Calls of runs inside tool calls (agents as
 * tools, handoffs, compositions, programs) pass the extensions of the outer run too.
 *
 * A deciding function has 10 seconds. If it throws or takes longer, the call is refused, the result withheld or the run
 * stopped.
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
  /** Initial state of a run. */
  readonly initialState?: State | undefined;
  /** Tools that join the agent's; for extensions of agents only. */
  readonly tools?: readonly Tool[] | undefined;
  /** Settings that only tighten: the stricter of these and the agent's applies. */
  readonly options?: ExtensionOptions | undefined;
  /**
   * Called before each model call. Changes messages by their ids, for this request only, and returns texts that are
   * added to the conversation. A changed message keeps its label, so return text that other people wrote in `insert`.
   *
   * @param turn - The messages of the next request.
   * @param ctx - The run, and the extension's state.
   */
  beforeModel?(
    turn: { readonly messages: readonly Message[] },
    ctx: ExtensionContext<State>,
  ): Awaitable<{ readonly messages?: readonly Message[]; readonly insert?: readonly InsertedText[] } | void>;
  /**
   * Called before each call runs, again if its arguments change, and when a resumed run continues with it.
   *
   * @param call - The tool, its arguments, and what the run knows about the call.
   * @param ctx - The run, and the extension's state.
   */
  gate?(call: GatedCall, ctx: ExtensionContext<State>): Awaitable<GateVerdict | void>;
  /**
   * Called before the model reads a result.
   *
   * @param result - The tool and its result.
   * @param ctx - The run, and the extension's state.
   */
  result?(result: GatedResult, ctx: ExtensionContext<State>): Awaitable<ResultVerdict | void>;
  /**
   * Called after each turn with tool calls; `stop` ends the run as `stopped_by_hook`, with the reason in `warnings`.
   *
   * @param turn - Tokens that the run has used so far.
   * @param ctx - The run, and the extension's state.
   */
  afterTurn?(
    turn: { readonly usage: TokenUsage },
    ctx: ExtensionContext<State>,
  ): Awaitable<{ readonly stop: string } | void>;
  /**
   * Called before an answer ends the run; `continueWith` asks the model again, within `maxTurns`.
   *
   * @param end - Text of the answer that would end the run.
   * @param ctx - The run, and the extension's state.
   */
  beforeEnd?(
    end: { readonly text: string },
    ctx: ExtensionContext<State>,
  ): Awaitable<{ readonly continueWith: InsertedText } | void>;
  /** Receives records of these types, frozen; the run does not wait for it. */
  readonly onRecord?: { readonly types: readonly JournalEventType[]; hear(record: JournalEvent): unknown } | undefined;
}
