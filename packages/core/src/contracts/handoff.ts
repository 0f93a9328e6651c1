import type { Message } from "./message.ts";
import type { Runnable } from "./runnable.ts";

/** Settings of a handoff to another agent. */
export interface HandoffOptions {
  /** Name of the tool by which the model hands over; default `transfer_to_<agent>`. */
  readonly toolName?: string | undefined;
  /** The tool's description, which says when to hand over. Default: from the agent's description. */
  readonly description?: string | undefined;
  /** The part of the conversation that the other agent sees: all (default), or only the user's last message. */
  readonly history?: "full" | "last-message" | undefined;
  /** Changes the messages that the agent sees; calls stay with their results. */
  readonly inputFilter?:
    | ((messages: readonly Message[]) => readonly Message[] | Promise<readonly Message[]>)
    | undefined;
}

/** A hand-over that an agent may make. */
export interface Handoff extends HandoffOptions {
  /** Name of the agent that takes over. */
  readonly name: string;
  /** The agent that takes over. */
  readonly agent: Runnable;
}
