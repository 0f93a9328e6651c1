// Runs an evaluation on a SQLite file, and appends a line to a log for each request of the model and each faked effect.
import { appendFileSync } from "node:fs";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import { effects, evaluate, evaluation } from "../src/index.ts";
import { desk, deskScript } from "./desk.test.helper.ts";

const [, , path = "", log = "", cases = "2", repeat = "1"] = process.argv;
const note = (line: string): void => appendFileSync(log, `${line}\n`);
const model = scriptedModel((request) => {
  note("model");
  return typeof deskScript === "function" ? deskScript(request) : "Done.";
});

const made = evaluation({
  name: "killed",
  agent: ({ store }) => desk(store, { leaseMs: 1_000 }, model),
  fakes: {
    refund: ({ id }: { id: string }, { idempotencyKey }) => {
      note(`effect ${idempotencyKey} ${id}`);
      return { id };
    },
  },
  candidates: { one: {}, two: { temperature: 0 } },
  cases: Array.from({ length: Number(cases) }, (_, index) => ({
    input: `Refund order ${index}.`,
    expected: { effects: [{ tool: "refund", args: { id: String(index) } }] },
  })),
  must: [effects()],
  repeat: Number(repeat),
});
await using store = sqliteStore({ path });
const result = await evaluate(made, { store });
console.log(JSON.stringify({ verdict: result.verdict, runs: result.runs, text: result.text }));
