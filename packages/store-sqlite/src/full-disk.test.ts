import { createAgentRuntime, tool } from "@bailiwick/core";
import type { RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { storeInThisThread } from "./store-in-this-thread.fixture.ts";
import { temporaryFolder } from "./temporary-store.fixture.ts";

test.each(["before its effect", "after its effect"])(
  "a file that may not grow further (%s): the run reports it, holds no lease, and continues at once when there is free space [effects.journal-unavailable] [run.left-as-found]",
  async (when) => {
    using folder = temporaryFolder();
    const { database, store: runs } = storeInThisThread(folder.file);
    const store: RunStore = { ...runs, name: "sqlite:full", durable: true };
    const ran: string[] = [];
    const model = scriptedModel(({ toolResults }) =>
      toolResults.length === 0 ? { toolCalls: [{ name: "write", arguments: {} }] } : "Done.",
    );
    let mayGrow = true;
    const stopGrowing = (): void => {
      if (!mayGrow) return;
      mayGrow = false;
      const { page_count: pages } = database.prepare("PRAGMA page_count").get() as { readonly page_count: number };
      database.exec(`PRAGMA max_page_count = ${pages}`);
    };
    const write = tool({
      name: "write",
      description: "Writes.",
      inputSchema: z.object({}),
      sideEffectClass: "external-stateful",
      execute: () => {
        ran.push("written");
        if (when === "after its effect") stopGrowing();
        // More than the rest of the last page.
        return "x".repeat(20_000);
      },
    });
    const agent = createAgentRuntime({
      name: "agent",
      model,
      tools: [write],
      store,
      timeouts: { storeMs: 0 },
      logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
      loopHooks: { beforeToolExec: () => (when === "before its effect" ? stopGrowing() : undefined) },
    });
    const failure = await agent.run(`Go. ${"y".repeat(20_000)}`).then(
      () => undefined,
      (error: { readonly runId: string }) => error,
    );
    expect(failure).toMatchObject({ code: "JOURNAL_UNAVAILABLE", cause: { code: "STORE_FULL" } });
    const runId = failure?.runId ?? "";
    const before = ran.length;
    database.exec("PRAGMA max_page_count = 1000000");
    // No lease has to expire first.
    const resumed = await agent.resume(runId);
    const output =
      resumed.status === "suspended"
        ? await agent.resume(
            runId,
            resumed.interruptions.map((asked) => (before === 0 ? asked.itDidNotHappen() : asked.itHappened("written"))),
          )
        : resumed;
    expect(output).toMatchObject({ status: "completed", text: "Done." });
    expect(ran).toEqual(["written"]);
    expect(await store.getRun(runId)).toMatchObject({ state: "completed" });
    await runs.close();
  },
);
