import { checkArgument } from "@bailiwick/core";
import { answerCases } from "./answer-cases.ts";
import type { ConformanceCase, ConformanceTraits, CreateModel } from "./conformance-case.ts";
import { failureCases } from "./failure-cases.ts";
import { prefixCases } from "./prefix-cases.ts";
import { replayCases } from "./replay-cases.ts";

/**
 * Everything that an adapter must do on the wire, as cases for any test runner. Each starts a strict
 * `modelServer` on the loopback interface and drives the model that `createModel` makes for it.
 *
 * @param createModel - Makes the model under test for a server.
 * @param traits - Limits of its wire.
 * @example
 * ```ts
 * import type { ModelProvider } from "@bailiwick/core";
 * import { providerConformance } from "@bailiwick/testing/conformance";
 *
 * export function register(
 *   test: (name: string, run: () => Promise<void>) => void,
 *   model: (baseURL: string, apiKey: string) => ModelProvider,
 * ) {
 *   for (const { name, run } of providerConformance((server) => model(server.baseURL("openai"), server.apiKey))) {
 *     test(name, run);
 *   }
 * }
 * ```
 */
export function providerConformance(
  createModel: CreateModel,
  traits: ConformanceTraits = {},
): readonly ConformanceCase[] {
  checkArgument(createModel, "function", "providerConformance(createModel)");
  const setup = { createModel, traits };
  return [...answerCases(setup), ...failureCases(setup), ...replayCases(setup), ...prefixCases(setup)];
}
