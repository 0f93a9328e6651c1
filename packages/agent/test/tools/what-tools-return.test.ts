import { expect, test } from "vitest";
import { tool } from "@bailiwick/core";
import { plain, runOne } from "../fixtures.test.helper.ts";

class Money {
  readonly #cents: number;
  constructor(cents: number) {
    this.#cents = cents;
  }
  get euros(): number {
    return this.#cents / 100;
  }
}

/** Like the queries of database clients, which run when they are awaited. */
class Query extends Promise<never> {
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }
  constructor() {
    super(() => undefined);
  }
}

/** The text that the model reads for this output of a tool. */
async function toldOf(returned: unknown): Promise<string> {
  const { toolCalls } = await runOne(tool({ ...plain, execute: () => returned as object }));
  return toolCalls[0]?.error?.message ?? JSON.stringify(toolCalls[0]?.output);
}

test.each<readonly [string, () => unknown, string]>([
  [
    "an async generator",
    () =>
      (async function* () {
        await Promise.resolve();
        yield 1;
      })(),
    "a generator or stream (return an array of what it holds; a tool that tells its output piece by piece sets",
  ],
  ["an iterator inside", () => ({ rows: [1, 2].values() }), `a generator or stream`],
  ["a response", () => new Response("body"), "a Response without own properties"],
  ["a response inside", () => ({ answer: new Response("body") }), `(return its content) at "answer"`],
  ["a pattern", () => ({ found: /x/u }), "a RegExp without own properties"],
  ["what keeps its value to itself", () => ({ price: new Money(5) }), "a Money without own properties"],
  ["what no class made", () => Object.create(Object.create(Object.create(null))), "an object without own properties"],
  ["a query that was not awaited", () => ({ user: new Query() }), "a Query"],
])(
  "a value that JSON would turn into {} is refused by name: %s [tool.field.output-schema]",
  async (_name, make, message) => {
    expect(await toldOf(make())).toContain(message);
  },
);

test("plain, prototype-less and empty objects, and class instances, are returned unchanged", async () => {
  class Row {
    readonly id = 1;
  }
  expect(await toldOf({})).toBe("{}");
  expect(await toldOf(Object.create(null))).toBe("{}");
  expect(await toldOf({ row: new Row(), at: new Date(0) })).toBe(`{"row":{"id":1},"at":"1970-01-01T00:00:00.000Z"}`);
});
