import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { Agent, tool, type ModelProvider, type RunInput } from "../../src/index.ts";
import { attempt, loop, map, parallel, pipeline, route, type Attempted, type Composition } from "../../src/compose.ts";

declare const model: ModelProvider;

interface Draft {
  title: string;
  total: number;
}
const Order = z.object({ orderId: z.string() });
const load = tool({
  name: "load",
  description: "Loads an order.",
  inputSchema: Order,
  sideEffectClass: "read-only",
  execute: ({ orderId }) => ({ id: orderId, lines: 1 }),
});
const save = tool({
  name: "save",
  description: "Saves an invoice.",
  inputSchema: z.object({ title: z.string(), total: z.number(), vat: z.number() }),
  sideEffectClass: "external-stateful",
  execute: async () => ({ saved: true }),
});
const draft = new Agent({ name: "draft", model, output: z.object({ title: z.string(), total: z.number() }) });
const write = new Agent({ name: "write", model });
const own = { input: Order, origin: "own" } as const;
type OrderInput = z.input<typeof Order>;

test("values keep their types along a pipeline of a tool, an agent, a function and a tool [composition.pipeline]", () => {
  const invoice = pipeline(own, load, draft, (made) => ({ ...made, vat: made.total * 0.2 }), save);
  expectTypeOf(invoice).toEqualTypeOf<Composition<OrderInput, { saved: boolean }>>();
  expectTypeOf<Awaited<ReturnType<typeof invoice.run>>["structured"]>().toEqualTypeOf<{ saved: boolean } | undefined>();
  // @ts-expect-error: an order is no number.
  void invoice.run({ orderId: 7 });
  expectTypeOf(
    pipeline(
      {},
      (text) => text.length,
      (count) => count.toFixed(1),
    ),
  ).toEqualTypeOf<Composition<RunInput, string>>();
  expectTypeOf(
    pipeline(
      {},
      draft,
      ({ total }) => total,
      (total) => `${total}`,
      write,
    ),
  ).toEqualTypeOf<Composition<RunInput, string>>();
  expectTypeOf(
    pipeline(
      {},
      () => undefined,
      (nothing) => nothing,
    ),
  ).toEqualTypeOf<Composition<RunInput, null>>();
  expectTypeOf(
    pipeline(
      own,
      async ({ orderId }) => orderId,
      (id) => id.length,
    ),
  ).toEqualTypeOf<Composition<OrderInput, number>>();
  // @ts-expect-error: the draft has no tax.
  pipeline(own, load, draft, save);
  // @ts-expect-error: a text is no order.
  pipeline({}, load);
  // @ts-expect-error: nobody said who wrote the input.
  pipeline({ input: Order }, load);
  const size = (text: string): number => text.length;
  // @ts-expect-error: the function before it gives a number.
  pipeline({}, size, size);
});

test("more than eight nodes are accepted without types [composition.pipeline]", () => {
  const same = (text: string): string => text;
  expectTypeOf(pipeline({}, same, same, same, same, same, same, same, same)).toEqualTypeOf<
    Composition<RunInput, string>
  >();
  expectTypeOf(pipeline({}, same, same, same, same, same, same, same, same, same)).toEqualTypeOf<
    Composition<RunInput, unknown>
  >();
});

test("branches keep their types, and merge gets them [composition.parallel]", () => {
  expectTypeOf(parallel(own, { order: load, size: ({ orderId }) => orderId.length })).toMatchTypeOf<
    Composition<OrderInput, { order: { id: string; lines: number }; size: number }>
  >();
  expectTypeOf(parallel({ merge: ({ a, b }) => a.length + b.total }, { a: write, b: draft })).toEqualTypeOf<
    Composition<RunInput, number>
  >();
  const nested = parallel({}, { a: write, b: parallel({}, { c: write, d: draft }) });
  expectTypeOf(nested).toMatchTypeOf<Composition<RunInput, { a: string; b: { c: string; d: Draft } }>>();
  // @ts-expect-error: a text is no order.
  parallel({}, { order: load });
});

test("the branches of a route are its names, and its answer is their union [composition.route]", () => {
  const chosen = route(
    { ...own, choose: ({ orderId }) => (orderId === "" ? "one" : "two") },
    { one: load, two: write },
  );
  expectTypeOf(chosen).toEqualTypeOf<Composition<OrderInput, { id: string; lines: number } | string>>();
  route({ choose: write, otherwise: "a" }, { a: write });
  route({ choose: async (text) => (text === "" ? "a" : "b") }, { a: write, b: draft });
  // @ts-expect-error: there is no such branch.
  route({ choose: () => "c" }, { a: write, b: draft });
  // @ts-expect-error: there is no such branch.
  route({ choose: () => "a", otherwise: "c" }, { a: write, b: draft });
});

test("items of a map have the type of the list before it, of the schema, or of the options [composition.map]", () => {
  const double = map({ item: z.number() }, (value) => value * 2);
  expectTypeOf(double).toEqualTypeOf<Composition<readonly number[], readonly number[]>>();
  expectTypeOf(
    pipeline(
      {},
      (text) => text.split(",").map(Number),
      double,
      (list) => list.length,
    ),
  ).toEqualTypeOf<Composition<RunInput, number>>();
  expectTypeOf(map({ items: (text) => text.split("") }, (sign) => sign.length)).toEqualTypeOf<
    Composition<RunInput, readonly number[]>
  >();
  expectTypeOf(map({ item: z.number(), onError: "collect" }, (value) => `${value}`)).toEqualTypeOf<
    Composition<readonly number[], readonly Attempted<string>[]>
  >();
  expectTypeOf(map({ items: ["x"], merge: (drafts) => drafts.length }, draft)).toEqualTypeOf<
    Composition<RunInput, number>
  >();
  expectTypeOf(map({}, (sign: string) => sign.length)).toEqualTypeOf<
    Composition<readonly string[], readonly number[]>
  >();
  // @ts-expect-error: a number is no order.
  map({ item: z.number() }, load);
});

test("a loop has the type of its body, and an attempt the union of its nodes [composition.loop] [composition.attempt]", () => {
  expectTypeOf(loop({ until: ({ total }) => total > 3 }, draft)).toEqualTypeOf<Composition<RunInput, Draft>>();
  expectTypeOf(attempt(own, { try: load, catch: ({ input, error }) => `${input.orderId}${error}` })).toEqualTypeOf<
    Composition<OrderInput, { id: string; lines: number } | string>
  >();
  expectTypeOf(attempt(own, { try: load })).toEqualTypeOf<
    Composition<OrderInput, Attempted<{ id: string; lines: number }>>
  >();
  // @ts-expect-error: the input of `catch` has no tax.
  attempt(own, { try: load, catch: save });
});

test("a nested workflow takes its types from its input [composition.input]", () => {
  const Loaded = z.object({ id: z.string(), lines: z.number() });
  const nested = pipeline(
    own,
    load,
    route(
      { input: Loaded, origin: "own", choose: ({ lines }) => (lines > 1 ? "many" : "one") },
      { many: ({ id }) => id, one: draft },
    ),
    (value) => (typeof value === "string" ? value.length : value.total),
  );
  expectTypeOf(nested).toEqualTypeOf<Composition<OrderInput, number>>();
  const signs = map({ item: z.string() }, (sign) => sign.length);
  // @ts-expect-error: the tool before it gives an object, not a list.
  pipeline(own, load, signs);
  expectTypeOf(nested.asTool({ name: "nested" })["~tool"]).toEqualTypeOf<
    { readonly input: OrderInput; readonly output: number; readonly dependencies: unknown } | undefined
  >();
});
