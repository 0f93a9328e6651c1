import type { InterruptionData } from "@bailiwick/core";
import type { Mail } from "./mailbox/mail.ts";
import type { MailStatus } from "./mailbox/mailbox.ts";
import type { OutboxMail } from "./mailbox/outbox.ts";

/** The model of this desk. */
export interface DeskConfig {
  readonly model: {
    /** `demo` is the embedded one; `openai` and `compatible` are real. */
    readonly kind: "demo" | "openai" | "compatible";
    readonly label: string;
  };
  /** Refunds above this many euro wait for a person. */
  readonly approvalLimit: number;
  /** The page may kill the server: it is started again at once. */
  readonly restarts: boolean;
}

/** A run as the page lists it. */
export interface RunRow {
  readonly runId: string;
  readonly mailId: string | null;
  readonly status: string;
  readonly stopReason: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The person's request. */
  readonly input: string;
  /** Input and output tokens of all its model calls. */
  readonly tokens: number;
  /** The cost in US dollars; `null` when the model's price is unknown. */
  readonly costUsd: number | null;
  /** Number of processes that ended while they drove the run. */
  readonly crashes: number;
  readonly interruptions: readonly InterruptionData[];
}

/** A mail with its complete history. */
export interface MailDetail {
  readonly mail: Mail & { readonly status: MailStatus };
  readonly outbox: readonly OutboxMail[];
  /** Oldest first. */
  readonly runs: readonly RunRow[];
  /** Refunds that the shop recorded on the orders that the mail names. */
  readonly refunds: readonly { readonly orderId: string; readonly amountCents: number }[];
}
