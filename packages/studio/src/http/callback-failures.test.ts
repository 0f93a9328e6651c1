import { sqliteStore } from "@bailiwick/store-sqlite";
import { studio, type StudioOptions } from "@bailiwick/studio";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { client } from "./client.fixture.ts";
import { shopAgent } from "./shop.fixture.ts";

const unhandled: unknown[] = [];
const keep = (reason: unknown): void => void unhandled.push(reason);
const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
beforeAll(() => void process.on("unhandledRejection", keep));
afterAll(() => {
  process.off("unhandledRejection", keep);
  logged.mockRestore();
});

const boom = (): never => {
  throw new Error("boom");
};

/** An object with a member that throws when it is read. */
const trap = (name: string): object => Object.defineProperty({}, name, { enumerable: true, get: boom });

const behaviours: Readonly<Record<string, () => unknown>> = {
  throws: boom,
  "throws no error": () => {
    throw "boom";
  },
  rejects: () => Promise.reject(new Error("boom")),
  "returns nonsense": () => 7,
  "returns false": () => false,
  "returns true": () => true,
  "returns nothing": () => undefined,
  "returns a list": () => [],
  "returns a response": () => new Response(null, { status: 401 }),
  "returns an error": () => new Error("No session."),
  "returns a map": () => new Map([["userId", "eve"]]),
  "returns a record without userId": () => ({ id: "eve", tenantId: "acme" }),
  "returns a misspelt userId": () => ({ userID: "eve" }),
  "returns other ids": () => ({ userId: 5, tenantId: null, allTenants: true }),
  "returns a getter that throws": () => trap("tenantId"),
  "returns a then that throws": () => trap("then"),
};

/** Options with each function of the studio, so that a function without a row does not compile. */
type Callback = {
  [Name in keyof StudioOptions]-?: NonNullable<StudioOptions[Name]> extends (...given: never[]) => unknown
    ? Name
    : never;
}[keyof StudioOptions];
const rows: Readonly<Record<Callback, (bad: never) => Partial<StudioOptions>>> = {
  authorize: (authorize) => ({ authorize }),
  onError: (onError) => ({ onError, authorize: boom }),
};

const cases = Object.entries(rows).flatMap(([name, options]) =>
  Object.entries(behaviours).map(([behaviour, bad]) => [name, behaviour, options(bad as never)] as const),
);

test.each(cases)(
  "%s of the studio that %s shows nothing and ends no process [studio.permissions]",
  async (...given) => {
    const options = given[2];
    await using store = sqliteStore({ path: ":memory:" });
    const agent = shopAgent(store);
    const { runId } = await agent.run("Handle my newest mail.");
    const { ask } = client(studio({ store, agents: [agent], ...options }));
    for (const path of ["info", "runs", `runs/${runId}`, "inbox"]) {
      const response = await ask(`api/${path}`);
      expect([path, response.status]).toEqual([path, 500]);
      expect(await response.text()).not.toMatch(new RegExp(`boom|${runId}`, "u"));
    }
    for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled.splice(0)).toEqual([]);
  },
);
