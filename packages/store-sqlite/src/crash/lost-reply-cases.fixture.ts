import { join } from "node:path";
import type { RunStore } from "@bailiwick/core";
import { StoreError } from "@bailiwick/core";
import { expect } from "vitest";
import { shortLeases } from "../short-leases.fixture.ts";
import { checkEffects, checkJournal } from "./crash-cell.fixture.ts";
import type { Ground } from "./ground.fixture.ts";
import { actingAgent, driveToEnd, effectsIn } from "./world.fixture.ts";

/** Executes each call, and loses the first reply of one kind, as a connection that breaks after the commit does. */
function losingReply(store: RunStore, lost: string): { readonly store: RunStore; readonly isLost: () => boolean } {
  let isLost = false;
  const reply = async <T>(kinds: readonly string[], work: Promise<T>): Promise<T> => {
    const value = await work;
    if (isLost || !kinds.includes(lost)) return value;
    isLost = true;
    throw new StoreError("STORE_FAILED", "The connection was lost.");
  };
  const losing: RunStore = {
    ...store,
    create: (record, holder) => reply(["create"], store.create(record, holder)),
    append: (lease, events, attachments) =>
      reply(
        events.map(({ type }) => type),
        store.append(lease, events, attachments),
      ),
    release: (lease, next, session) => reply(["release"], store.release(lease, next, session)),
  };
  return { store: losing, isLost: () => isLost };
}

const replies = [
  "create",
  "run.start",
  "model.result",
  "tool.intent",
  "tool.outcome",
  "tool.result",
  "run.end",
  "release",
];

/** A reply that is lost after each commit of a run, as cases for a test runner. */
export function lostReplyCases(
  ground: Ground,
): readonly { readonly name: string; readonly run: () => Promise<void> }[] {
  return (["other", "lookup", "idempotent"] as const).flatMap((effect) =>
    replies.map((lost) => ({
      name: `the reply to "${lost}" is lost after the commit: the run ends once, and the effect of its writer (${effect}) happens once [effects.at-least-once]`,
      async run() {
        await using place = await ground.makePlace();
        const effects = join(place.path, "effects.log");
        await using store = ground.open(place.place);
        const losing = losingReply(shortLeases(store, 60), lost);
        await actingAgent(losing.store, effect, effects)
          .run("Act on order 1042.")
          .catch(() => undefined);
        expect(losing.isLost()).toBe(true);
        const output = await driveToEnd(actingAgent(shortLeases(store, 5_000), effect, effects), store, effects);
        expect(output).toMatchObject({ status: "completed", text: "Done." });
        expect(await store.listRuns({})).toMatchObject([{ state: "completed" }]);
        expect(checkJournal(await store.load(output.runId))).toEqual([]);
        expect(checkEffects(effect, effectsIn(effects))).toEqual([]);
      },
    })),
  );
}
