import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { billedCost, knownModel, type ModelPrice } from "@bailiwick/core/provider";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { describe, expect, inject, test } from "vitest";
import { replaying } from "./replay.fixture.ts";

interface Recording {
  readonly id: string;
  readonly model: string;
  readonly api: string;
  readonly response: { readonly body?: unknown; readonly stream?: readonly string[] };
}

const folder = join(inject("wireRecordings"), "..", "recordings");
const recordings = readdirSync(folder)
  .filter((name) => name.startsWith("openai-"))
  .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
  .filter((line) => /\\?"cost\\?":\s*[\d.]/.test(line))
  .map((line) => JSON.parse(line) as Recording);

/**
 * Recordings whose bill differs from today's list prices of the tokens and calls that it counts, with the reason.
 * Tools of the gateway are in the bill, but not in the counts.
 */
const differing: Readonly<Record<string, string>> = {
  "openai-chat.openrouter-0024": "a tool of the gateway",
  "openai-chat.openrouter-0031": "the price was halved after the recording",
  "openai-chat.openrouter-0039": "a tool of the gateway",
  "openai-responses-0118": "the price was lowered after the recording",
  "openai-responses-0119": "the price was lowered after the recording",
};

const within = (actual: number, expected: number): boolean => Math.abs(actual - expected) <= Math.abs(expected) * 0.01;
const listed = (model: string): ModelPrice | undefined => {
  const [vendor = "", id = ""] = model.split("/");
  return knownModel(vendor, id.replaceAll(/(?<=claude.*\d)\.(?=\d)/g, "-"))?.price;
};

describe("recorded bills [providers.models.recorded-costs]", () => {
  test("the folder has bills", () => expect(recordings.length).toBeGreaterThan(25));

  test.each(recordings.map((recording) => [recording.id, recording] as const))(
    "%s",
    async (id, { model, api, response }) => {
      const wire = api === "openai-chat" ? "chat" : "responses";
      const written = response.stream?.map((event) => `${event}\n\n`).join("") ?? JSON.stringify(response.body);
      const asked = replaying(model, { api: wire, compat: "openrouter" }, new TextEncoder().encode(written));
      const request = { messages: [{ id: "1", role: "user" as const, content: "Hi." }] };
      const answer =
        response.stream === undefined
          ? await asked.generate(request)
          : finishedResponse((await collectChunks(asked.stream(request))).chunks);
      const usage = answer.usage.providerMetrics ?? {};
      const details = usage["cost_details"] as { upstream_inference_cost?: number | null } | undefined;
      const bill = Number(usage["cost"]) + (usage["is_byok"] === true ? Number(details?.upstream_inference_cost) : 0);
      expect(answer.usage.reportedUsd).toBeCloseTo(bill, 12);
      const price = listed(model);
      if (price === undefined) return;
      // The same answer by list prices: as if the gateway had reported no bill, and not the tier that it bought itself.
      const counts = { ...answer.usage, reportedUsd: undefined, serviceTier: undefined };
      const { usd } = billedCost(counts, price, () => undefined);
      expect({ id, agrees: usd !== undefined && within(usd, bill) }).toEqual({ id, agrees: !(id in differing) });
    },
  );
});
