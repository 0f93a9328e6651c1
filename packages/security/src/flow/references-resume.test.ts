import { createAgentRuntime, memorySessions, memoryStore } from "@bailiwick/core";
import type { AgentRuntime, RunOutput, RunStore, Tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import type { Script } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";

import { security } from "../security.ts";
import { quiet } from "./attacks/play-attack.test.helper.ts";
import { calls, made, readMail, run, send } from "./world.test.helper.ts";
import type { Ran } from "./world.test.helper.ts";

/** A secret whose schema changes what is returned: a reference stands for the parsed value. */
const key = (ran: Ran): Tool =>
  made(ran, {
    name: "key",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    sensitivity: "secret",
    output: { integrity: "verified" },
    outputSchema: z.object({ pin: z.string() }).transform(({ pin }) => ({ code: { pin: `parsed ${pin}` } })),
    result: { pin: "hunter2" },
  });

const place = "$ref:t1/c0:code.pin";

function agentOver(
  store: RunStore,
  tools: readonly Tool[],
  script: Script,
  seal: string | undefined = "a key",
): AgentRuntime {
  return createAgentRuntime(
    {
      name: "a",
      model: scriptedModel(script),
      tools,
      store,
      logger: quiet,
      flow: { mode: "enforce", planner: false },
      keys: { seal },
      approval: { policy: ["send"] },
    },
    security(),
  );
}

/** Text, as another process would find it. */
function durable(): RunStore {
  const inner = memoryStore();
  return {
    ...inner,
    durable: true,
    append: (lease, events, attachments) =>
      inner.append(lease, JSON.parse(JSON.stringify(events)) as typeof events, attachments),
  };
}

test("with keys.seal a reference to a secret result resolves after a resume in another process, with the schema's transformations [quarantine.boundary]", async () => {
  const ran: Ran = [];
  const tools = [key(ran), send(ran, { sensitivity: "secret" })];
  const script: Script = [calls(["key"]), calls(["send", { to: "bob", body: place }]), "Done."];
  const store = durable();
  const first = await agentOver(store, tools, script).run("Do it.");
  expect(first.status).toBe("suspended");
  expect(JSON.stringify(first)).not.toContain("hunter2");
  expect(JSON.stringify(await store.load(first.runId))).not.toContain("hunter2");
  const done = await agentOver(store, tools, ["Done."]).resume(
    first.runId,
    first.interruptions.map((one) => one.approve()),
  );
  expect(done.status).toBe("completed");
  expect(ran.at(-1)).toEqual({ name: "send", input: { to: "bob", body: "parsed hunter2" } });
  expect(JSON.stringify(done)).not.toContain("hunter2");
});

test("a call that the other process repeats resolves references of earlier turns [quarantine.boundary]", async () => {
  const ran: Ran = [];
  const tools = [key(ran), send(ran, { sensitivity: "secret" })];
  const store = durable();
  const first = await agentOver(store, tools, [calls(["key"]), calls(["send", { to: "bob" }]), "Done."]).run("Do it.");
  const again = agentOver(store, tools, [calls(["send", { to: "bob", body: place }]), "Done."]);
  const second = await again.resume(
    first.runId,
    first.interruptions.map((one) => one.reject("with the key")),
  );
  await again.resume(
    first.runId,
    second.interruptions.map((one) => one.approve()),
  );
  expect(ran.at(-1)).toEqual({ name: "send", input: { to: "bob", body: "parsed hunter2" } });
});

test("without the key the run is not resumed, and the error says what to do [quarantine.boundary]", async () => {
  const ran: Ran = [];
  const store = durable();
  const tools = [key(ran), send(ran, { sensitivity: "secret" })];
  const script: Script = [calls(["key"]), calls(["send", { to: "bob", body: place }]), "Done."];
  const first = await agentOver(store, tools, script).run("Do it.");
  const decisions = first.interruptions.map((one) => one.approve());
  expect(() =>
    createAgentRuntime({ name: "a", model: scriptedModel([]), tools, store, logger: quiet }, security()),
  ).toThrow(/keys: \{ seal \}/u);
  const keyless = createAgentRuntime(
    { name: "a", model: scriptedModel(["Done."]), tools: [send(ran)], store, logger: quiet },
    security(),
  );
  await expect(keyless.resume(first.runId, decisions)).rejects.toMatchObject({ code: "SEAL_KEY_MISSING" });
  await expect(agentOver(store, tools, ["Done."], "another").resume(first.runId, decisions)).rejects.toMatchObject({
    code: "SEAL_BROKEN",
  });
  expect((await agentOver(store, tools, ["Done."]).resume(first.runId, decisions)).status).toBe("completed");
});

test("an unresolvable reference is refused with an error: a tool never gets its text [quarantine.boundary]", async () => {
  for (const body of ["$ref:t7/c0", `${place}.nothing`, { $ref: "$ref:t1/c9" }]) {
    const ran: Ran = [];
    const { output } = await run({
      tools: [key(ran), send(ran, { inputSchema: z.object({ to: z.string(), body: z.unknown() }) })],
      script: [calls(["key"]), calls(["send", { to: "bob", body }]), "Done."],
      flow: { mode: "enforce", grants: [{ tool: "send", args: { to: { eq: "bob" }, body: { composed: true } } }] },
      agent: { keys: { seal: "a key" } },
    });
    expect(output.toolCalls[1]?.error, JSON.stringify(body)).toMatchObject({
      kind: "invalid_input",
      code: "REFERENCE_UNKNOWN",
    });
    expect(output.toolCalls[1]?.error?.message).toContain("stands for no value of this run");
    expect(ran.map(({ name }) => name)).toEqual(["key"]);
  }
});

test("a reference from an earlier run of the session never resolves to a value of this run [quarantine.boundary]", async () => {
  const ran: Ran = [];
  const store = memoryStore();
  const session = memorySessions();
  const mails = ["first", "second"];
  const mail = readMail(ran);
  const turn = async (script: Script): Promise<RunOutput> =>
    createAgentRuntime(
      {
        name: "a",
        model: scriptedModel(script),
        tools: [{ ...mail, execute: () => mails.shift() }, send(ran)],
        store,
        session,
        logger: quiet,
        flow: { mode: "enforce", planner: false, quarantine: true },
        approval: { onApproval: () => ({ approved: true }) },
      },
      security(),
    ).run("Go.", { sessionId: "s1" });
  const sending = (body: string): Script => [
    calls(["read_mail"]),
    calls(["send", { to: "bob", body }]),
    calls(["send", { to: "bob", body: "$ref:r2.t1/c0" }]),
    "Done.",
  ];
  await turn([calls(["read_mail"]), "Done."]);
  const { toolCalls, messages } = await turn(sending("$ref:t1/c0"));
  expect(messages.filter(({ role }) => role === "tool").map(({ content }) => content)).toMatchObject([
    expect.stringContaining('"$ref:t1/c0"'),
    expect.stringContaining('"$ref:r2.t1/c0"'),
    expect.stringContaining("stands for no value of this run"),
    "ok",
  ]);
  expect(toolCalls.map(({ isError }) => isError)).toEqual([false, true, false]);
  expect(ran).toEqual([{ name: "send", input: { to: "bob", body: "second" } }]);
  const third = await turn([calls(["send", { to: "bob", body: "$ref:r2.t1/c0" }]), "Done."]);
  expect(third.toolCalls.map(({ isError }) => isError)).toEqual([true]);
});
