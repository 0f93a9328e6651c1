import type { ErrorData } from "./error-data.ts";
import type { JournalEvent } from "./journal-event.ts";
import type { JsonValue } from "./json.ts";
import type { Warning } from "./model-response.ts";
import type { StreamChunk } from "./stream-chunk.ts";

/** The agent of an event, in runs with agents inside agents. */
export interface EventOrigin {
  /** Id of the run that the event belongs to; absent for the outer run. */
  readonly runId?: string | undefined;
  /** Names of the agents, from the outer one to the one of this event; absent for the outer run. */
  readonly agentPath?: readonly string[] | undefined;
  /** The outer call that the nested agent answers. */
  readonly parentToolCallId?: string | undefined;
}

/** Events that are shown while they happen and not journaled. */
export type LiveEvent =
  | (Exclude<StreamChunk, { type: "warning" }> & EventOrigin)
  | ({ readonly type: "warning"; readonly warning: Warning } & EventOrigin)
  | ({
      readonly type: "tool.progress";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly message?: string | undefined;
      readonly fraction?: number | undefined;
      readonly data?: JsonValue | undefined;
    } & EventOrigin)
  | ({
      readonly type: "tool.partial";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly text: string;
    } & EventOrigin)
  | ({ readonly type: "structured.delta"; readonly partial: unknown } & EventOrigin)
  | {
      readonly type: "agent.event";
      readonly toolCallId: string;
      readonly agentPath: readonly string[];
      readonly event: RunEvent;
    }
  | ({ readonly type: "observer.lagging"; readonly dropped: number } & EventOrigin)
  | ({ readonly type: "guardrail.retracted"; readonly name: string; readonly reason: string } & EventOrigin)
  | ({
      readonly type: "turn.restarted";
      readonly turn: number;
      /** The attempt whose shown part is withdrawn. */
      readonly attempt: number;
      readonly error: ErrorData;
    } & EventOrigin);

/** Every event of a run: journal events have a `seq`, live events have none. */
export type RunEvent = JournalEvent | LiveEvent;

/** Name of any event. */
export type RunEventType = RunEvent["type"];

/** The event of one type. */
export type RunEventOf<Type extends RunEventType> = Extract<RunEvent, { type: Type }>;
