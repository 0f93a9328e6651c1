import {
  ModelConnectionError,
  type Message,
  type ModelProvider,
  type ModelRequest,
  type StreamChunk,
} from "@bailiwick/core";
import type { Script } from "../../script/script.ts";
import { scriptedModel, type ScriptedModel, type ScriptedModelOptions } from "../../scripted-model/scripted-model.ts";
import { exchange } from "../world/exchange.ts";
import { currentWorld, type World } from "../world/world.ts";

const readings = new WeakMap<World, (readonly Message[])[]>();

/** The messages of each request that simulated models read in a world, in order. */
export function modelReadings(world: World): readonly (readonly Message[])[] {
  return readings.get(world) ?? [];
}

/**
 * A scripted model whose calls are choice points of a simulation: its answers can be late or lost, and a process can die
 * while it waits. Outside of a simulation it is `scriptedModel`.
 *
 * @param script - A function of the request. Runs of several processes use it at once, so a list of steps would be
 *   shared by them.
 * @param options - Names and capabilities.
 * @throws ScriptFaultError `SCRIPT_INVALID` when a listed step contradicts itself.
 * @example
 * ```ts
 * import type { ModelProvider } from "@bailiwick/core";
 * import { simulatedModel } from "@bailiwick/testing/simulation";
 *
 * export const model: ModelProvider = simulatedModel(({ toolResults }) =>
 *   toolResults.length > 0 ? "Paid." : { toolCalls: [{ name: "pay", arguments: { invoice: "7" } }] },
 * );
 * ```
 */
export function simulatedModel(script: Script, options: ScriptedModelOptions = {}): ModelProvider {
  const own = scriptedModel(script, options);
  /** One for each history: a script that counts begins again. */
  const models = new WeakMap<World, ScriptedModel>();

  const call = <Answer>(
    operation: string,
    { signal, messages }: ModelRequest,
    ask: (model: ScriptedModel) => Promise<Answer>,
  ): Promise<Answer> => {
    const current = currentWorld();
    if (current === undefined) return ask(own);
    const { world, process } = current;
    const model = models.get(world) ?? scriptedModel(script, options);
    models.set(world, model);
    const component = world.component("model", {
      isOrdered: false,
      kinds: ["die", "dieAfter", "pauseAfter", "late", "lost", "away"],
    });
    return exchange(world, process, component, {
      operation,
      work: () => {
        readings.set(world, [...modelReadings(world), messages]);
        return ask(model);
      },
      refuse: () =>
        new ModelConnectionError("The connection to the model was reset.", {
          provider: own.provider,
          model: own.modelId,
          retryable: true,
        }),
      signal,
      story: () => "asks the model",
    });
  };

  async function* stream(request: ModelRequest): AsyncGenerator<StreamChunk> {
    yield* await call("stream", request, async (model) => {
      const chunks: StreamChunk[] = [];
      for await (const chunk of model.stream(request)) chunks.push(chunk);
      return chunks;
    });
  }

  return {
    provider: own.provider,
    api: own.api,
    modelId: own.modelId,
    capabilities: own.capabilities,
    generate: (request) => call("generate", request, async (model) => model.generate(request)),
    stream,
  };
}
