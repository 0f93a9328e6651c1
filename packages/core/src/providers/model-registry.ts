import { checkArgument } from "../errors/value-checks.ts";
import type { ModelProvider, ModelRegistry } from "../contracts/model-provider.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";

/**
 * Makes the model for an id, like the providers' own functions.
 *
 * @param modelId - The part of the id after the provider's name, such as `gpt-5.5`.
 */
export type ModelFactory = (modelId: string) => ModelProvider;

/**
 * A registry for `"provider/model"` strings, made of the providers that its user names. The text after the first slash
 * is the model id, including further slashes. Each model is created once.
 *
 * @param factories - Providers by name.
 * @throws ConfigurationError `UNKNOWN_MODEL` from `resolve` if the string names no registered provider.
 * @example
 * ```ts
 * import { modelRegistry } from "@bailiwick/core";
 * import type { ModelProvider } from "@bailiwick/core";
 *
 * export function registry(openai: (modelId: string) => ModelProvider) {
 *   return modelRegistry({ openai }).resolve("openai/gpt-5.5");
 * }
 * ```
 */
export function modelRegistry(factories: Readonly<Record<string, ModelFactory>>): ModelRegistry {
  checkArgument(factories, "object", "modelRegistry({ openai })");
  const made = new Map<string, ModelProvider>();
  return {
    resolve(id) {
      const known = made.get(id);
      if (known !== undefined) return known;
      const slash = id.indexOf("/");
      const name = slash === -1 ? id : id.slice(0, slash);
      const factory = Object.hasOwn(factories, name) ? factories[name] : undefined;
      if (factory === undefined || slash === -1 || slash === id.length - 1) {
        const names = Object.keys(factories);
        throw new ConfigurationError(
          "UNKNOWN_MODEL",
          `The model "${id}" cannot be resolved: write "provider/model" with a registered provider (${names.length === 0 ? "none is" : names.join(", ")}).`,
        );
      }
      const model = factory(id.slice(slash + 1));
      made.set(id, model);
      return model;
    },
  };
}
