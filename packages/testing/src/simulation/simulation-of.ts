import { ConfigurationError } from "@bailiwick/core";
import { shared } from "./routing/routed-process.ts";
import { SimulationError } from "./simulation-error.ts";
import { checkSimulation, type CheckedSimulation, type SimulationOptions } from "./options.ts";

const checked: unique symbol = Symbol.for("bailiwick.simulation.checked");

/** A simulation of an application, to be played by `simulate`. */
export interface Simulation {
  /** The options, as they were given. */
  readonly options: SimulationOptions;
  /** @internal */
  readonly [checked]: CheckedSimulation;
}

/**
 * Defines a simulation: several processes of an application, its store, fake servers and people, in one thread with
 * virtual time. It starts nothing.
 *
 * @param options - The application, its work, and the world around it.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @throws SimulationError `SIMULATION_EMPTY`, `SIMULATION_LATE`, `HISTORY_INVALID`
 * @example
 * ```ts
 * import { createAgentRuntime, type ModelProvider } from "@bailiwick/core";
 * import { simulation, type Simulation } from "@bailiwick/testing/simulation";
 *
 * export const answering = (model: ModelProvider): Simulation =>
 *   simulation({
 *     app: ({ store }) => ({ agents: [createAgentRuntime({ name: "desk", model, store })] }),
 *     work: ["Hello."],
 *   });
 * ```
 */
export function simulation(options: SimulationOptions): Simulation {
  return simulationOf(options, checkSimulation(options));
}

/**
 * A simulation of checked options.
 *
 * @throws SimulationError `SIMULATION_LATE`
 */
export function simulationOf(options: SimulationOptions, result: CheckedSimulation): Simulation {
  if (!shared.installed)
    throw new SimulationError(
      "SIMULATION_LATE",
      "The globals of this process are not routed. Start Node with --import @bailiwick/testing/simulation/register, or make this module a setup file of your test runner.",
    );
  return { options, [checked]: result };
}

/** The checked options of a simulation. */
export function checkedOf(simulation: Simulation): CheckedSimulation {
  const result = (simulation as Partial<Simulation> | undefined)?.[checked];
  if (result !== undefined) return result;
  throw new ConfigurationError("INVALID_OPTION", "simulate() takes what simulation({ app, work }) returned.");
}
