import type { AgentRuntime, RunStore } from "@bailiwick/core";
import type { EffectRequest } from "../components/effects.ts";
import type { RecordedAnswer, RecordedPage } from "../checker/recorded-history.ts";
import type { App, SimulationOptions, WorldView } from "../options.ts";
import type { World } from "../world/world.ts";
import type { Defect } from "./defects.ts";
import type { Observer } from "./observer.ts";

/** State that the roles of one play share. It belongs to the simulator: no process of the world can lose it. */
export interface Stage {
  readonly world: World;
  readonly options: SimulationOptions;
  /** The store itself, without choice points. */
  readonly store: RunStore;
  readonly requests: EffectRequest[];
  readonly observer: Observer;
  readonly answers: RecordedAnswer[];
  /** Pages at the end. */
  readonly pages: RecordedPage[];
  /** Run of each accepted work item. */
  readonly accepted: Map<number, string>;
  readonly view: WorldView;
  readonly defect: Defect | undefined;
  /** True when the web process has nothing more to enqueue or to drive. */
  isWorkDone: boolean;
  /** True if a person left the questions of a run open. */
  isWaiting: (runId: string) => boolean;
  /** The application of each process. */
  readonly apps: Map<string, { readonly app: App; readonly runtimes: readonly AgentRuntime[] }>;
  readonly warn: (text: string) => void;
}

/** Waits for virtual time in the current process. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
