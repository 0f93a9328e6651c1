import { selfTest, simulate, type History } from "@bailiwick/testing/simulation";
import { expect, test } from "vitest";
import { payTool, paying, sendPayment } from "./payments.test.helper.ts";

/** A tool that sends a payment again after an error of the connection, without a key. */
const impatient = payTool((invoice) => sendPayment(invoice).catch(() => sendPayment(invoice)));

test("simulate() shortens the history of a tool that repeats a payment to one fault, and says how to repeat it [simulation.shortest]", async () => {
  const { broken, text } = await simulate(paying(impatient), { seeds: 150, single: false });
  expect(broken.map(({ promise }) => promise)).toContain("effects");
  const repeated = broken.find(({ historyText }) => /bank\.example\.POST \/payments#\d=lost/.test(historyText));
  expect(Object.keys(repeated?.history.faults ?? {})).toHaveLength(1);
  expect(repeated?.text).toMatch(/^payment [78] was made twice, by w\d and by w\d\.$/);
  expect(text).toContain(`Repeat it: simulate(simulation, { history: ${JSON.stringify(repeated?.historyText)} })`);
});

test("a history that was found repeats the same events, alone and as a known one [simulation.known]", async () => {
  const simulated = paying(impatient);
  const history = "w1/bank.example.POST /payments#1=lost";
  const alone = await simulate(simulated, { history });
  const [one] = alone.broken;
  expect(one).toMatchObject({ promise: "effects", historyText: history, foundFaults: 1 });
  const again = await simulate(simulated, { history });
  expect(again.broken[0]?.hash).toBe(one?.hash);
  const known = await simulate(paying(impatient, { known: [history] }), { seeds: 0, single: false });
  expect(known).toMatchObject({ known: 1, broken: [{ historyText: history, hash: one?.hash }] });
});

test("simulate() plays each single fault of each choice point, and pairs [simulation.single]", async () => {
  const report = await simulate(paying(impatient), { seeds: 0, pairs: 5, most: 50 });
  expect(report.singles).toBeGreaterThan(report.points * 5);
  expect(report.pairs).toBe(5);
  const points = report.broken.flatMap(({ history }) => Object.keys(history.faults));
  expect(points).toContain("w1/bank.example.POST /payments#1");
});

test("processes that share an exploration play each history once [simulation.parts]", async () => {
  const whole = await simulate(paying(), { seeds: 9, single: false });
  const parts = await Promise.all(
    [0, 1].map((index) => simulate(paying(), { seeds: 9, single: false, part: { index, of: 2 } })),
  );
  expect(parts.map(({ histories }) => histories).reduce((sum, one) => sum + one)).toBe(whole.histories);
});

test("a promise that is accepted is not checked, and the report prints the reason [simulation.accept]", async () => {
  const accept = { effects: "the bank rejects a second payment of an invoice" };
  const history: History = { faults: { "w1/bank.example.POST /payments#1": "lost" } };
  const { broken, text } = await simulate(paying(impatient, { accept }), { history });
  expect(broken).toEqual([]);
  expect(text).toContain("Not checked: effects, because the bank rejects a second payment of an invoice");
});

test("the promises of an application are judged beside those of the framework [simulation.also]", async () => {
  const also = ({ effects }: { readonly effects: { count(name: string): number } }): readonly string[] =>
    effects.count("payment") === 2 ? ["Two invoices were paid."] : [];
  const { broken } = await simulate(paying(payTool(), { also }), { seeds: 0, single: false });
  expect(broken).toMatchObject([{ promise: "application", text: "Two invoices were paid.", historyText: "none" }]);
});

test("a point that does not occur is a warning with the nearest name [simulation.input]", async () => {
  const { warnings } = await simulate(paying(), { history: "w1/bank.example.POST /payment#1=lost" });
  expect(warnings).toEqual([
    'The choice point "w1/bank.example.POST /payment#1" did not occur. The nearest one is "w1/bank.example.POST /payments#1".',
  ]);
});

test("the self-test notices a store that loses acknowledged records, and a person whose answers are false [simulation.self-test]", async () => {
  const { passed, text, defects } = await selfTest(paying());
  expect(passed, text).toBe(true);
  expect(defects.every(({ seed }) => seed !== undefined && seed <= 200)).toBe(true);
});

test("the self-test of a simulation without choice points names what is missing [simulation.self-test]", async () => {
  let paid = 0;
  const silent = payTool(async () => `payment ${(paid += 1)}`);
  const { passed, text } = await selfTest(paying(silent, { accept: { journal: "the planted store loses records" } }));
  expect(passed).toBe(false);
  expect(text).toContain("send them through a receiver");
});
