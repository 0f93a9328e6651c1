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
  let level: Level = systemLevel;
  let parents: LabelId[] = [];
  let own: LabelId | undefined = "system";

  return {
    get level() {
      return level;
    },
    read(label) {
      const joined = joinLevels(level, graph.levelOf(label), graph.sets);
      // What says no more than the context says already leaves no trace.
      if (sameLevel(joined, level)) return;
      level = joined;
      parents = own === undefined ? [...parents, label] : own === "system" ? [label] : [own, label];
      own = undefined;
    },
    label() {
      own ??= graph.add(level, { kind: "join" }, parents);
      return own;
    },
  };
}
