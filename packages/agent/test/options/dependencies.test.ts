import { memoryStore, tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

class Pool {
  queries = 0;
}
class Cache extends Map<string, string> {}

interface Shop {
  role: string;
  readonly limits: { eur: number };
  readonly tags: string[];
  readonly prices: Map<string, { eur: number }>;
  readonly open: Set<string>;
  readonly since: Date;
  readonly logo: Uint8Array;
  readonly seal: Buffer;
  readonly pool: Pool;
  readonly cache: Cache;
  readonly now: () => number;
}

const shop = (): Shop => ({
  role: "guest",
  limits: { eur: 10 },
  tags: ["a"],
  prices: new Map([["tea", { eur: 3 }]]),
  open: new Set(["monday"]),
  since: new Date(0),
  logo: new Uint8Array([1]),
  seal: Buffer.from([1]),
  pool: new Pool(),
  cache: new Cache(),
  now: () => 1,
});

/** Changes every part of the dependencies that is data. */
function change(dependencies: unknown): void {
  const given = dependencies as Shop & { [name: string]: unknown };
  given.role = "admin";
  given.limits.eur = 1_000;
  given.tags.push("b");
  (given.prices.get("tea") as { eur: number }).eur = 0;
  given.prices.set("gold", { eur: 0 });
  given.open.add("sunday");
  given.since.setTime(1);
  given.logo.fill(9);
  given.seal.fill(9);
  given["added"] = true;
}

type Changing = (dependencies: unknown) => void;

/** An agent whose functions all change the dependencies that they get. */
function agentWith(dependencies: Shop, seen: unknown[], changing: Changing = change) {
  const own = { name: "agent", logger: quiet, flow: "off" } as const;
  const look = tool({
    name: "look",
    description: "Looks.",
    inputSchema: z.object({}),
    sideEffectClass: "external-stateful",
    idempotencyKey: (_input, ctx) => (changing(ctx.dependencies), "key"),
    needsApproval: (_input, ctx) => (changing(ctx.dependencies), false),
    execute: (_input, ctx) => {
      changing(ctx.runOptions.dependencies);
      changing(ctx.dependencies);
      return "ok";
    },
  });
  const steps = (name: string, args: object) =>
    scriptedModel((request) =>
      request.toolResults.length === 0 ? { toolCalls: [{ name, arguments: args }] } : "Done.",
    );
  const inner = new Agent({ ...own, name: "inner", description: "Helps.", model: steps("look", {}), tools: [look] });
  return new Agent({
    ...own,
    model: steps("inner", { input: "go" }),
    tools: [inner.asTool()],
    dependencies,
    instructions: (ctx) => {
      seen.push(structuredClone({ ...ctx.dependencies, pool: 0, cache: 0, now: 0 }));
      changing(ctx.dependencies);
      return "Help.";
    },
    hooks: { beforeRun: (ctx) => changing(ctx.dependencies) },
    guardrails: { input: [{ name: "input", validate: (_input, ctx) => (changing(ctx.dependencies), { pass: true }) }] },
  });
}

test("functions of one user's run that change their dependencies change neither the next user's nor the agent's [events.copies.dependencies]", async () => {
  for (const ofRun of [false, true]) {
    const dependencies = shop();
    const seen: unknown[] = [];
    const agent = agentWith(dependencies, seen);
    const given = ofRun ? { dependencies } : {};
    await agent.run("go", { userId: "ana", ...given });
    seen.length = 0;
    await agent.run("go", { userId: "bob", ...given });
    const { pool, cache, now, ...data } = dependencies;
    const { pool: _pool, cache: _cache, now: _now, ...expected } = shop();
    expect(data).toEqual(expected);
    // Bob's hooks and guardrails have changed his own copy, and nothing of Ana's is added to it.
    expect((seen[0] as Shop).tags).toEqual(["a", "b", "b"]);
    expect([pool, cache, now()]).toEqual([new Pool(), new Cache(), 1]);
  }
});

test("a run reads its dependencies as they were when it was started, whatever its caller changes later [events.copies.dependencies]", async () => {
  const dependencies = shop();
  const seen: unknown[] = [];
  const running = agentWith(shop(), seen, () => undefined).run("go", { dependencies });
  change(dependencies);
  await running;
  expect(seen[0]).toMatchObject({ role: "guest", tags: ["a"], limits: { eur: 10 } });
  expect(seen[0]).not.toHaveProperty("added");
});

test("instances of classes and functions are passed on as they are, and parts that refer to each other still do [events.copies.dependencies]", async () => {
  const seen: Shop[] = [];
  interface Node {
    parent?: Node;
    readonly children: Node[];
  }
  const root: Node = { children: [] };
  root.children.push({ parent: root, children: [] });
  const dependencies = { ...shop(), root, again: root };
  const look = tool({
    name: "look",
    description: "Looks.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: (_input, ctx) => (seen.push(ctx.dependencies as Shop), "ok"),
  });
  const agent = new Agent({
    name: "agent",
    logger: quiet,
    flow: "off",
    store: memoryStore(),
    model: scriptedModel((request) => (request.toolResults.length === 0 ? { toolCalls: [{ name: "look" }] } : "Done.")),
    tools: [look],
    dependencies,
  });
  await agent.run("go");
  await agent.run("go");
  expect(seen).toHaveLength(2);
  for (const one of seen as unknown as (typeof dependencies)[]) {
    expect([one.pool === dependencies.pool, one.cache === dependencies.cache, one.now === dependencies.now]).toEqual([
      true,
      true,
      true,
    ]);
    expect(one.root).not.toBe(root);
    expect(one.again).toBe(one.root);
    expect(one.root.children[0]?.parent).toBe(one.root);
  }
});
