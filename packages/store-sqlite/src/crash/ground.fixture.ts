import type { RunStore } from "@bailiwick/core";

/** A store on which processes are killed, and that others open again. */
type GroundStore = RunStore & AsyncDisposable & { close(): Promise<void> };

/** Data of one run of the matrix, and a folder for its world. */
export interface Place extends AsyncDisposable {
  /** The store that a process opens. */
  readonly place: string;
  /** An empty folder. */
  readonly path: string;
  /** The stored bytes, each with a name. */
  stored(): Promise<readonly (readonly [name: string, bytes: string])[]>;
}

/** The kind of store of a matrix. */
export interface Ground {
  /** The program of a process that drives a run there: it passes its order to `act`. */
  readonly program: string;
  readonly makePlace: () => Promise<Place>;
  readonly open: (place: string) => GroundStore;
}
