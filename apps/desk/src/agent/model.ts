import { randomInt } from "node:crypto";
import type { ModelProvider, PriceTable } from "@bailiwick/core";
import { openai } from "@bailiwick/providers-openai";
import { modelServer } from "@bailiwick/testing/model-server";
import { demoModel } from "../demo-model/index.ts";
import type { DeskConfig } from "../desk-api.ts";
import type { ModelSettings } from "../settings.ts";

/** A model that can be called. */
export interface OpenModel {
  readonly model: ModelProvider;
  readonly shown: DeskConfig["model"];
  /** Prices that the framework does not know. */
  readonly prices?: PriceTable | undefined;
  close(): Promise<void>;
}

/**
 * Makes the model that the settings name. The demo model speaks OpenAI's wire on a loopback port, so that a request
 * takes the same path as with a real one.
 *
 * @param settings - Which model.
 */
export async function openModel(settings: ModelSettings): Promise<OpenModel> {
  const nothing = async (): Promise<void> => undefined;
  switch (settings.kind) {
    case "openai":
      return {
        model: openai(settings.modelId, { apiKey: settings.apiKey }),
        shown: { kind: "openai", label: settings.modelId },
        close: nothing,
      };
    case "compatible": {
      const { modelId, baseURL, apiKey } = settings;
      // Compatible servers use Chat Completions; many require some key, with any value.
      const model = openai(modelId, { baseURL, apiKey: apiKey ?? "none", api: "chat" });
      return { model, shown: { kind: "compatible", label: `${modelId} at ${new URL(baseURL).host}` }, close: nothing };
    }
    case "demo": {
      // The pause makes the stream look realistic, and has no other cost.
      const server = await modelServer(
        (request) => ({ ...demoModel(request), faults: { delayPerEventMs: settings.paceMs } }),
        // A desk runs for days, and its journals keep its requests. A run continues after a restart: ids may not
        // repeat.
        { keepRequests: 1, seed: randomInt(2 ** 31) },
      );
      const model = openai("demo", { baseURL: server.baseURL("openai"), apiKey: "demo", reasoningModel: false });
      return {
        model,
        shown: { kind: "demo", label: "Embedded demo model" },
        prices: { "openai/demo": { input: 0, output: 0 } },
        close: () => server.close(),
      };
    }
  }
}
