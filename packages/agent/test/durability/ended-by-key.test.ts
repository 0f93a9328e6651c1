import { memoryStore, StoreError } from "@bailiwick/core";
import { faultyStore, scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { failureOf, movedClock, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

test.each([0, 20_000, 60_000])(
  "the same idempotency key returns the result of a run whose process died before it released it, %d ms later [run.idempotency-key.ended]",
  async (laterMs) => {
    const clock = movedClock();
    const disk = memoryStore({ clock });
    const dying = faultyStore(disk, ({ operation }) =>
      operation === "release" ? { error: new StoreError("STORE_UNREACHABLE", "It is away.") } : undefined,
    );
    const agentOn = (store: typeof disk): Agent =>
      new Agent({
        name: "a",
        logger: quiet,
        flow: "off",
        store,
        session: store.sessions,
        clock,
        timeouts: { storeMs: 0 },
        model: scriptedModel(["The answer."]),
      });
    const options = { idempotencyKey: "k1", sessionId: "s" };
    expect(await failureOf(agentOn(dying).run("Go.", options))).toMatchObject({ retryable: true });
    clock.move(laterMs);
    expect(await agentOn(disk).run("Go.", options)).toMatchObject({ status: "completed", text: "The answer." });
    expect(await disk.listRuns({})).toHaveLength(1);
    const { messages } = await disk.sessions.load("s");
    expect(messages.filter(({ role }) => role === "user").length).toBeLessThanOrEqual(1);
  },
);
