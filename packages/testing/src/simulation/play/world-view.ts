import type { Interruption } from "@bailiwick/core";
import { effectsIn, type EffectRequest } from "../components/effects.ts";
import { isSameCall } from "../checker/effects.ts";
import type { WorldView } from "../options.ts";
import { draw } from "../world/draw.ts";
import type { World } from "../world/world.ts";
import { leavesOf, type Observer } from "./observer.ts";

/** The world as functions of a simulation see it. */
export function viewOf(world: World, observer: Observer, requests: readonly EffectRequest[]): WorldView {
  const isInside = (runId: string, outer: string): boolean => {
    for (let at: string | undefined = runId; at !== undefined; at = observer.parentOf(at))
      if (at === outer) return true;
    return false;
  };
  return {
    get time() {
      return world.time;
    },
    get effects() {
      return effectsIn(requests.filter(({ isRepetition }) => !isRepetition));
    },
    effectsOf(question: Interruption) {
      const leaves = leavesOf(question.args);
      return requests.filter(({ calls, id }) => {
        const own = calls.filter((call) => isSameCall(call, question) && isInside(call.runId, question.runId));
        // A process that had begun several calls may have made the effect for another one.
        return own.length > 0 && (calls.length === own.length || leaves.includes(id));
      });
    },
    draw: (name) => draw(world.randomSeed, name),
  };
}
