import type { FaultKind } from "./fault.ts";
import type { SimulatedProcess } from "./simulated-process.ts";

/** The other side of exchanges: a store, a receiver, or a model. */
export interface Component {
  readonly name: string;
  /** Process in which the other side works. */
  readonly side: SimulatedProcess;
  /** Time until which it refuses everything. */
  awayUntil: number;
  /** True if the requests of one process arrive in the order in which they were sent. */
  readonly isOrdered: boolean;
  /** Time of the last arrival, by process. */
  readonly lastArrival: Map<string, number>;
  /** Kinds of faults at its choice points. */
  readonly kinds: readonly FaultKind[];
}
