import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { memoryStore, type RunStore } from "@bailiwick/core";
import { deliverWebhook, driveDue, webhook, type WebhookEvent } from "@bailiwick/worker";
import { Webhook as Verifier } from "standardwebhooks";
import { expect, test } from "vitest";
import { sqliteStore } from "../sqlite-store.ts";
import { clerk, quiet, receiver, secret, type Received } from "./webhook-world.fixture.ts";

const program = fileURLToPath(new URL("webhook-sender.fixture.ts", import.meta.url));
const otherSecret = `whsec_${Buffer.from("another secret of 32 bytes......").toString("base64")}`;

/** Verifies with the library of the standard. */
function verified({ headers, body }: Received, withSecret = secret): WebhookEvent {
  return new Verifier(withSecret).verify(body, headers as Record<string, string>) as WebhookEvent;
}

function inFile(): { readonly path: string; readonly store: ReturnType<typeof sqliteStore> } & AsyncDisposable {
  const folder = mkdtempSync(join(tmpdir(), "webhook-"));
  const path = join(folder, "runs.db");
  const store = sqliteStore({ path });
  return {
    path,
    store,
    async [Symbol.asyncDispose]() {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function begun(store: RunStore): Promise<void> {
  // The first check: events begin with it.
  await deliverWebhook({ store, secret, url: "http://127.0.0.1:1/", logger: quiet });
}

test("a webhook gets a signed event for each run that suspends, ends or fails, and none twice [webhook.events] [webhook.signed]", async () => {
  await using ground = inFile();
  await using target = await receiver();
  const { store } = ground;
  const agent = clerk(store);
  await begun(store);
  const ids: Record<string, string> = {};
  for (const input of ["hello", "pay", "fail"]) ids[input] = (await agent.enqueue(input, { tenantId: "t1" })).runId;
  const cancelled = await agent.enqueue("later", { delayMs: 3_600_000 });
  await agent.cancel(cancelled.runId);
  await driveDue({ agents: [agent], store, logger: quiet });
  const options = { store, secret: [secret, otherSecret], url: target.url, allowHosts: [target.host], logger: quiet };
  expect(await deliverWebhook(options)).toEqual({ count: 0, nextAt: undefined });
  const events = target.received.map((request) => verified(request));
  expect(target.received.map((request) => verified(request, otherSecret))).toEqual(events);
  expect(Object.fromEntries(events.map(({ data, type }) => [data.runId, type]))).toEqual({
    [ids["hello"] ?? ""]: "run.completed",
    [ids["pay"] ?? ""]: "run.suspended",
    [ids["fail"] ?? ""]: "run.failed",
    [cancelled.runId]: "run.cancelled",
  });
  const suspended = events.find(({ type }) => type === "run.suspended");
  const [interruption] = (await agent.inspect(ids["pay"] ?? "")).interruptions;
  expect(suspended?.data).toMatchObject({
    agentName: "clerk",
    tenantId: "t1",
    stopReason: "awaiting_approval",
    interruptionIds: [interruption?.id],
  });
  expect(JSON.stringify(events)).not.toContain("hello");
  await deliverWebhook(options);
  expect(target.received).toHaveLength(4);
  await agent.resume(ids["pay"] ?? "", interruption === undefined ? [] : [interruption.approve()]);
  await deliverWebhook(options);
  expect(target.received.slice(4).map((request) => verified(request))).toMatchObject([
    { type: "run.completed", data: { runId: ids["pay"] } },
  ]);
});

test("each tenant has its own address and secret, and one without an address gets nothing [webhook.events] [webhook.signed]", async () => {
  await using ground = inFile();
  await using first = await receiver();
  await using second = await receiver();
  const { store } = ground;
  const agent = clerk(store);
  await begun(store);
  for (const tenantId of ["one", "two", "none"]) await agent.enqueue("hello", { tenantId });
  await driveDue({ agents: [agent], store, logger: quiet });
  const addresses: Readonly<Record<string, string>> = { one: first.url, two: second.url };
  await deliverWebhook({
    store,
    secret: ({ data }) => Promise.resolve(data.tenantId === "two" ? otherSecret : secret),
    url: ({ data }) => addresses[data.tenantId ?? ""],
    allowHosts: [first.host, second.host],
    logger: quiet,
  });
  expect(first.received.map((request) => verified(request).data.tenantId)).toEqual(["one"]);
  expect(second.received.map((request) => verified(request, otherSecret).data.tenantId)).toEqual(["two"]);
});

test("an event is sent again with the same id until the receiver accepts it, and dropped after the last try [webhook.retried]", async () => {
  const store = memoryStore();
  await using target = await receiver((place) => [503, 302, 204][place] ?? 500);
  const agent = clerk(store);
  await begun(store);
  await agent.run("hello");
  const givenUp: WebhookEvent[] = [];
  await using sender = webhook({
    store,
    secret,
    url: target.url,
    allowHosts: [target.host],
    retryMs: [1, 1, 1],
    pollMs: 10,
    logger: quiet,
    onGivenUp: (event) => givenUp.push(event),
  });
  await expect.poll(() => target.received.length).toBe(3);
  await expect.poll(() => sender.waiting()).toBe(0);
  expect(new Set(target.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  await agent.run("hello");
  await expect.poll(() => givenUp.length).toBe(1);
  expect(target.received).toHaveLength(3 + 4);
  expect(await sender.waiting()).toBe(0);
});

test.each([
  [302, [], "follows no redirect"],
  [410, [1, 1], "stops when the receiver says that it is gone"],
])("a status of %s is final for an event with %o further tries: the sender %s [webhook.retried]", async (...given) => {
  const [status, retryMs] = given;
  const store = memoryStore();
  await using target = await receiver(() => status);
  await begun(store);
  await clerk(store).run("hello");
  const givenUp: Error[] = [];
  const options = { store, secret, url: target.url, allowHosts: [target.host], retryMs, logger: quiet };
  await deliverWebhook({ ...options, onGivenUp: (_event, error) => givenUp.push(error) });
  expect(givenUp).toMatchObject([{ code: "WEBHOOK_REFUSED" }]);
  expect(target.received).toHaveLength(1);
});

test("an address that is not public gets no event unless its host is allowed [webhook.guarded]", async () => {
  const store = memoryStore();
  await using target = await receiver();
  await begun(store);
  await clerk(store).run("hello");
  const errors: Error[] = [];
  const options = { store, secret, url: target.url, retryMs: [], logger: quiet };
  await deliverWebhook({ ...options, onGivenUp: (_event, error) => errors.push(error) });
  expect(errors).toMatchObject([{ code: "EGRESS_DENIED" }]);
  expect(target.received).toEqual([]);
});

test("senders that are killed at any moment lose no event [webhook.durable]", async () => {
  await using ground = inFile();
  const { store, path } = ground;
  let refuse = true;
  await using target = await receiver(() => (refuse ? 500 : 204));
  await begun(store);
  const agent = clerk(store);
  const ids = new Set<string>();
  for (let n = 0; n < 25; n += 1) ids.add((await agent.enqueue(`run ${n}`)).runId);
  const start = () =>
    spawn(
      process.execPath,
      ["--conditions=@bailiwick/source", "--no-warnings", program, path, target.url, target.host],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
  let sender = start();
  try {
    for (const kills of [1, 2, 3]) {
      const before = target.received.length;
      await expect.poll(() => target.received.length, { interval: 5 }).toBeGreaterThan(before + kills);
      sender.kill("SIGKILL");
      if (kills === 2) refuse = false;
      sender = start();
    }
    const accepted = (): Set<string> => new Set(target.received.map((request) => verified(request).data.runId));
    await expect.poll(() => [...ids].filter((id) => !accepted().has(id))).toEqual([]);
    await expect
      .poll(
        async () =>
          (await deliverWebhook({ store, secret, url: target.url, allowHosts: [target.host], logger: quiet })).count,
      )
      .toBe(0);
  } finally {
    sender.kill("SIGKILL");
  }
});

test("wrong options of a webhook are refused when it is made [webhook.options]", () => {
  const store = memoryStore();
  const right = { store, secret, url: "https://example.com/hooks" };
  const wrong: readonly (readonly [object, string])[] = [
    [{ ...right, secret: "secret" }, "whsec_"],
    [{ ...right, secret: [] }, "secret"],
    [{ ...right, secret: 5 }, "whsec_"],
    [{ ...right, secret: [secret, null] }, "whsec_"],
    [{ ...right, url: "no address" }, "url"],
    [{ ...right, events: ["run.ended"] }, "run.ended"],
    [{ ...right, pollMs: 0 }, "pollMs"],
    [{ ...right, retries: 3 }, "retries"],
  ];
  for (const [options, said] of wrong)
    expect(() => webhook(options as Parameters<typeof webhook>[0]), said).toThrow(said);
  for (const part of ["sessions", "outbox"])
    expect(() => webhook({ ...right, store: { ...store, [part]: undefined } })).toThrow("no sessions or no outbox");
});
