import type { LabelId } from "@bailiwick/core";

import type { LabelGraph } from "./label-graph.ts";
import { joinLevels, sameLevel, systemLevel } from "./lattice.ts";
import type { Level } from "./lattice.ts";

/** What the model has read: the join over all messages it was given. It is never lowered. */
export interface ContextLevel {
  readonly level: Level;
  /** [flow.r2.all-messages] Takes in a message that the model is given. */
  read(label: LabelId): void;
  /** The label of what the model says now. */
  label(): LabelId;
}

/** Starts a context that has read nothing but the developer's instructions. */
export function createContextLevel(graph: LabelGraph): ContextLevel {
  return new Context(graph);
}

/** A class, because there is one for every run. */
class Context implements ContextLevel {
  level: Level = systemLevel;
  readonly #graph: LabelGraph;
  #parents: readonly LabelId[] = [];
  #own: LabelId | undefined = "system";

  constructor(graph: LabelGraph) {
    this.#graph = graph;
  }

  read(label: LabelId): void {
    const joined = joinLevels(this.level, this.#graph.levelOf(label), this.#graph.sets);
    // What says no more than the context says already leaves no trace.
    if (sameLevel(joined, this.level)) return;
    this.level = joined;
    const own = this.#own;
    this.#parents = own === undefined ? [...this.#parents, label] : own === "system" ? [label] : [own, label];
    this.#own = undefined;
  }

  label(): LabelId {
    this.#own ??= this.#graph.add(this.level, { kind: "join" }, this.#parents);
    return this.#own;
  }
}
