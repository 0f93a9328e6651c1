import { Agent } from "@bailiwick/agent";
import { crashTest, type AppProcess, type App } from "@bailiwick/testing/simulation";
import { expect, test } from "vitest";
import { payingModel, payTool, paying } from "./payments.test.helper.ts";
import { shape } from "./shapes.test.helper.ts";

test("crashTest() counts the effects of each tool, and names the declaration that makes the question unnecessary [simulation.crash-test]", async () => {
  const { passed, rows, text } = await crashTest(paying());
  expect(passed, text).toBe(true);
  expect(rows).toHaveLength(1);
  const [row] = rows;
  expect(row).toMatchObject({ tool: "pay", repeated: [], lost: [] });
  expect(row?.asked).toBeGreaterThan(0);
  expect((row?.once ?? 0) + (row?.asked ?? 0)).toBe(row?.points);
  expect(row?.declaration).toContain("idempotencyKey");
  expect(text).toContain("a person was asked");
});

test("a tool with an idempotency key is repeated with one key, and no person is asked [simulation.crash-test]", async () => {
  const { rows, text } = await crashTest(shape("an agent with idempotency keys"));
  expect(rows[0], text).toMatchObject({ tool: "act", asked: 0, repeated: [], lost: [] });
  expect(rows[0]?.keyed).toBeGreaterThan(0);
  expect(rows[0]?.declaration).toBeUndefined();
});

test("a tool that pays and is declared as a reader repeats its payment, and the histories say when [simulation.crash-test]", async () => {
  const reader = { ...payTool(), sideEffectClass: "read-only" } as const;
  const { passed, rows, text } = await crashTest(paying(reader));
  expect(passed).toBe(false);
  expect(rows[0]?.tool).toBe("payment, of no tool that writes");
  expect(rows[0]?.repeated).toContain("w1/bank.example.POST /payments#1=dieAfter");
  expect(text).toContain("  repeated: w1/");
});

test("without receivers execute of a tool that writes is the effect, also for a function that starts the application [simulation.crash-test]", async () => {
  const app = ({ store }: AppProcess): App => ({
    agents: [
      new Agent({
        name: "desk",
        model: payingModel,
        store,
        flow: "off",
        leaseMs: 3_000,
        tools: [payTool(async () => "paid")],
      }),
    ],
  });
  const { passed, rows, text } = await crashTest(app, { input: "Pay invoice 7." });
  expect(passed, text).toBe(true);
  expect(rows).toMatchObject([{ tool: "pay" }]);
  expect(rows[0]?.asked).toBeGreaterThan(0);
});
