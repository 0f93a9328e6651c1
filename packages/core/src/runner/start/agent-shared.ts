import type { EventBus } from "../../contracts/event-bus.ts";
import type { Clock } from "../../contracts/ports/clock.ts";
import type { Logger } from "../../contracts/ports/logger.ts";
import type { Lease } from "../../contracts/ports/run-store.ts";
import type { LeaseKeeper } from "../lease-keeper.ts";
import type { LiveRun } from "../run.ts";
import type { SessionQueue } from "./session-queue.ts";
import type { AgentDefinition } from "../agent.ts";

/** State that all runs of one agent share in this process. */
export interface AgentShared {
  readonly definition: AgentDefinition;
  /** Names this process in leases. */
  readonly owner: string;
  readonly eventBus: EventBus;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly keeper: LeaseKeeper;
  readonly sessions: SessionQueue;
  /** Warnings that were already logged once. */
  readonly said: Set<string>;
  /** Runs that this process drives now, by id. */
  readonly live: Map<string, LiveRun>;
  /** Leases of runs whose journal could not be written and that could not be released either, by run. */
  readonly leftOver: Map<string, Lease>;
}
