import { memoryStore, type RunStore, type SessionStore } from "@bailiwick/core";
import { test } from "vitest";
import { forkCases } from "./fork-cases.fixture.ts";
import { turnCases, type TurnPlace } from "./turn-cases.fixture.ts";

async function inMemory(): Promise<TurnPlace> {
  const store: RunStore = memoryStore();
  return { store, session: store.sessions as SessionStore, [Symbol.asyncDispose]: async () => undefined };
}

const places = { "in memory": inMemory };

for (const { name, run } of turnCases(places)) test(`${name} [memory.turn-order] [memory.waiting-run]`, run);
for (const { name, run } of forkCases(places)) test(`${name} [run.fork.session]`, run);
