import type { RunStore } from "@bailiwick/core";
import { BailiwickError } from "@bailiwick/core";
import type { Check } from "./check.ts";
import { failed } from "./check.ts";

/** Difference of the clocks that is reported, in milliseconds. */
const mostSkewMs = 2_000;

/** Checks that a store can be read and written, has the format of this version, and agrees about the time. */
export async function checkStore(store: RunStore): Promise<readonly Check[]> {
  const name = `store ${store.name}`;
  try {
    await store.listRuns({ allUsers: true, limit: 1 });
    const before = Date.now();
    const id = `doctor-${crypto.randomUUID()}`;
    await store.create({ id, agentId: "bailiwick doctor", definitionHash: "", sessionId: id, input: "" });
    const after = Date.now();
    const createdAt = (await store.getRun(id))?.createdAt ?? before;
    await store.deleteRun(id);
    const skewMs = createdAt < before ? createdAt - before : createdAt > after ? createdAt - after : 0;
    return [
      store.durable
        ? { name, status: "ok", text: "It can be read and written, and has the format of this version." }
        : {
            name,
            status: "warn",
            text: "Runs are kept in memory and end with the process.",
            fix: 'Give the agents a store, such as sqliteStore({ path: "runs.db" }).',
          },
      Math.abs(skewMs) < mostSkewMs
        ? { name: "clock", status: "ok", text: "This machine and the store agree about the time." }
        : {
            name: "clock",
            status: "warn",
            text: `The store's clock is ${Math.abs(skewMs)} ms ${skewMs > 0 ? "ahead of" : "behind"} this machine's.`,
            fix: "Synchronize the clocks: schedules and deadlines are compared with them.",
          },
    ];
  } catch (error) {
    const isFormat = BailiwickError.isInstance(error) && error.code === "STORE_FORMAT";
    return [failed(name, error, isFormat ? "Run bailiwick migrate, or use the newer version." : undefined)];
  }
}
