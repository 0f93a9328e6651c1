import { createHook } from "node:async_hooks";
import { SimulationError } from "../simulation-error.ts";
import { currentProcess } from "./routed-process.ts";

/**
 * Watches for timers of the platform that code of a simulated process starts: its module kept the platform's functions,
 * because it was loaded before the routing.
 *
 * @param onLate - Called once, with the error.
 * @returns a function that ends the watch.
 */
export function watchLateModules(onLate: (error: SimulationError) => void): () => void {
  let isFound = false;
  const hook = createHook({
    init(_id, type) {
      if (isFound || (type !== "Timeout" && type !== "Immediate")) return;
      const process = currentProcess();
      if (process === undefined) return;
      isFound = true;
      const frames = new Error("stack").stack?.split("\n").slice(1) ?? [];
      const frame = frames.find((line) => !/node:|late-modules/.test(line));
      const place = /\(?((?:file:\/\/)?\/[^)\s]+)\)?$/.exec(frame ?? "")?.[1] ?? "a module";
      onLate(
        new SimulationError(
          "SIMULATION_LATE",
          `Process ${process.name} used a timer of the platform, which ${place} kept: it was loaded before the globals were routed. Start Node with --import @bailiwick/testing/simulation/register, or make that module the first setup file of your test runner.`,
        ),
      );
    },
  });
  hook.enable();
  return () => void hook.disable();
}
