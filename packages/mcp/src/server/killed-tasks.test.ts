import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent, tool } from "@bailiwick/agent";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { until } from "../agents.test.helper.ts";
import { rpc } from "./task-client.test.helper.ts";

const fixture = fileURLToPath(new URL("task-server.fixture.ts", import.meta.url));

const refund = tool({
  name: "refund",
  description: "Refunds an order.",
  inputSchema: z.object({ id: z.string() }),
  sideEffectClass: "external-stateful",
  execute: () => Promise.reject(new Error("Only the server executes the call.")),
});

/** A served process over a folder. */
async function processOver(folder: string) {
  const flags = ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning"];
  const child = spawn(process.execPath, [...flags, fixture, join(folder, "runs.db"), join(folder, "effects")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit").then(() => Promise.reject(new Error("The process ended before it served.")));
  const [line] = (await Promise.race([once(child.stdout, "data"), ended])) as [unknown];
  ended.catch(() => undefined);
  const url = String(line).trim();
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };
  return { url, kill, [Symbol.asyncDispose]: kill };
}

test("after its process was killed, a task with a question is found by id, accepts the answer, and has its effect once [mcp.served-tasks]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-tasks-"));
  mkdirSync(join(folder, "effects"));
  try {
    let taskId = "";
    let asked: Readonly<Record<string, unknown>> = {};
    const isAsking = async (url: string): Promise<boolean> => {
      const { result } = await rpc(url, "tasks/get", { taskId });
      asked = (result?.["inputRequests"] ?? {}) as Record<string, unknown>;
      return result?.["status"] === "input_required";
    };
    {
      await using one = await processOver(folder);
      const created = await rpc(one.url, "tools/call", { name: "refund", arguments: { id: "A1" } });
      taskId = String(created.result?.["taskId"]);
      await until(() => isAsking(one.url), "the task asks");
      await one.kill();
      // A worker or a person drives the agent alone: its model must not answer in the client's place.
      const store = sqliteStore({ path: join(folder, "runs.db") });
      const agent = new Agent({ name: "shop", model: scriptedModel(["A model answered."]), tools: [refund], store });
      const resumed = agent.resume(taskId, [], { formerIsGone: true });
      await expect(resumed).rejects.toMatchObject({ code: "CALLER_MODEL_MISSING" });
      await store.close();
    }
    await using two = await processOver(folder);
    expect(await isAsking(two.url)).toBe(true);
    const [key = ""] = Object.keys(asked);
    expect(JSON.stringify(asked[key])).toContain("A1");
    const inputResponses = { [key]: { action: "accept", content: { approve: true, acknowledged: true } } };
    expect((await rpc(two.url, "tasks/update", { taskId, inputResponses })).error).toBeUndefined();
    await two.kill();
    // The answer was stored before it was acknowledged: the process that gets the next request completes the task.
    await using three = await processOver(folder);
    const stateOf = async () => (await rpc(three.url, "tasks/get", { taskId })).result ?? {};
    await until(async () => (await stateOf())["status"] !== "working", "the task is completed");
    expect(readdirSync(join(folder, "effects"))).toEqual(["A1"]);
    expect(await stateOf()).toMatchObject({ status: "completed", result: { content: [{ text: "refunded A1" }] } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
