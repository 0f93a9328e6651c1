import * as fc from "fast-check";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { attacksOn, missingRecipes } from "./attack-recipes.fixture.ts";
import {
  ada,
  attackedApp,
  attackedServer,
  secret,
  visitor,
  type Attacker,
  type Known,
} from "./attack-server.fixture.ts";

/** Callers other than the victim. */
const others: readonly Attacker[] = [
  { user: "bob", tenant: "t1" },
  { user: "ADA", tenant: "t1" },
  { user: "ada", tenant: "t2" },
  { user: "bob", tenant: "t2" },
  { user: "ada" },
  { tenant: "t2" },
  {},
];
/** The victims, each with all who attack it. */
const victims: readonly {
  readonly name: string;
  readonly victim: Attacker;
  readonly attackers: readonly Attacker[];
}[] = [
  { name: "ada", victim: ada, attackers: [...others, visitor, { user: "", tenant: "t1" }] },
  { name: "a visitor", victim: visitor, attackers: [...others, ada] },
];

const unknown: Known = {
  runId: "no-run",
  earlierRunId: "no-earlier-run",
  chatId: "no-chat-that-anyone-has",
  branchId: "no-branch-that-anyone-has",
  questionId: "no-question",
  token: "no-token",
};

/** A text without the ids of a request. The id of a branch begins with the id of its chat. */
const withoutIds = (text: string, ids: Known): string =>
  Object.values<string>({ ...ids })
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, id) => rest.replaceAll(id, "<id>"), text);

test("each route has its attacks, and a new route without them fails this test [server.owner]", async () => {
  const { app } = await attackedApp();
  expect(missingRecipes(app)).toEqual([]);
  expect(missingRecipes(new Hono().route("/", app).get("/secrets/:id", (context) => context.body(null)))).toEqual([
    expect.stringContaining('Add "GET /secrets/:id"'),
  ]);
});

test("each attack on a route would reach something: it shows or changes something for the owner", async () => {
  const { app, known } = await attackedApp();
  for (const [index, { route, starts, method, path }] of attacksOn(app, known).entries()) {
    const seenBy = async (caller: Attacker) => {
      const world = await attackedApp();
      const before = withoutIds(JSON.stringify(await world.state()), world.known);
      const attack = attacksOn(world.app, world.known)[index];
      if (attack === undefined) throw new Error(`There is no attack ${index}.`);
      const { status, text } = await world.ask(caller, attack);
      const after = withoutIds(JSON.stringify(await world.state()), world.known);
      return { status, text: withoutIds(text, world.known), isChanged: before !== after };
    };
    const [owner, other] = [await seenBy(ada), await seenBy({ user: "bob", tenant: "t1" })];
    const what = `${route}: ${method} ${path}`;
    if (starts) expect(owner.text, what).toContain(secret);
    else expect(owner, what).not.toEqual(other);
  }
});

test.each(victims.flatMap((one) => [false, true].map((parsesBefore) => ({ ...one, parsesBefore }))))(
  "any requests of another caller than $name over HTTP change and show nothing, and answer as for ids that do not exist (body read before: $parsesBefore) [server.owner] [server.anonymous]",
  async ({ victim, attackers, parsesBefore }) => {
    const { app } = await attackedApp();
    await using server = await attackedServer(parsesBefore, victim);
    const { ask, known, state, paid } = server;
    const before = await state();
    const real = attacksOn(app, known);
    const vain = attacksOn(app, unknown);
    const attack = async (index: number, caller: Attacker, isFirst: boolean): Promise<void> => {
      const sent = real[index];
      const other = vain[index];
      if (sent === undefined || other === undefined) throw new Error(`There is no attack ${index}.`);
      const what = `${JSON.stringify(caller)} ${sent.method} ${sent.path}`;
      const [answer, expected] = [await ask(caller, sent), await ask(caller, other)];
      for (const shown of [secret, known.runId, known.earlierRunId, known.questionId, known.token])
        if (!JSON.stringify([sent.path, sent.body]).includes(shown)) expect(answer.text, what).not.toContain(shown);
      expect([what, answer.status]).toEqual([what, expected.status]);
      // In the last pass the attackers have runs, so their answers differ.
      if (!isFirst || sent.starts) return;
      expect([what, withoutIds(answer.text, known)]).toEqual([what, withoutIds(expected.text, unknown)]);
      expect(answer.text, what).not.toContain(secret);
    };
    const all = real.map((_, index) => index);
    const quiet = all.filter((index) => real[index]?.starts === false);
    for (const caller of attackers) for (const index of quiet) await attack(index, caller, true);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...quiet), fc.constantFrom(...attackers)), { minLength: 1, maxLength: 6 }),
        async (requests) => {
          for (const [index, caller] of requests) await attack(index, caller, true);
        },
      ),
      { numRuns: 30 },
    );
    for (const caller of attackers) for (const index of all) await attack(index, caller, false);
    expect(await state()).toEqual(before);
    expect(paid).toEqual([]);
    // A visitor without the ids of another one gets nothing of it either.
    for (const sent of attacksOn(app, unknown)) {
      const { text } = await ask(visitor, sent);
      for (const shown of [secret, known.runId, known.questionId, known.token])
        expect(text, sent.path).not.toContain(shown);
    }
    expect(await state()).toEqual(before);
    // The owner still can.
    const decisions = [{ id: known.questionId, type: "approve", token: known.token }];
    const decided = await ask(victim, { method: "POST", path: `/runs/${known.runId}/decisions`, body: { decisions } });
    expect(decided.status).toBe(202);
    await expect.poll(() => paid).toEqual([5]);
  },
);

test("a page of another site cannot call the server with any request [server.origin]", async () => {
  const { app, ask, known } = await attackedApp();
  for (const sent of attacksOn(app, known)) {
    const { status, text } = await ask(ada, { ...sent, headers: { ...sent.headers, origin: "https://evil.example" } });
    expect([sent.path, status, text.includes("ORIGIN_REFUSED")]).toEqual([sent.path, 403, true]);
  }
});
