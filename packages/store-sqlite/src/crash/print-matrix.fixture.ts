/**
 * Prints the result of a run that is killed at each boundary, for each class of effect, with a plain journal and with a
 * sealed and signed one; then kills processes at random moments: `--runs 200 --kills 500` for 500 kills over 200 runs
 * (default 60 over 24).
 */
import { parseArgs } from "node:util";
import { boundaries } from "./failing-store.fixture.ts";
import { crashCell } from "./crash-cell.fixture.ts";
import { migrationCell } from "./migration-cell.fixture.ts";
import { protections } from "./protection.fixture.ts";
import { killAtRandom } from "./random-kills.fixture.ts";
import { sqliteGround } from "./sqlite-ground.fixture.ts";
import { effectClasses } from "./world.fixture.ts";
import type { Failpoint } from "./world.fixture.ts";

const failpoints = boundaries.flatMap((name): Failpoint[] => [`before ${name}`, `during ${name}`, `after ${name}`]);
const rows = protections.flatMap((protection) => failpoints.map((failpoint) => ({ protection, failpoint })));
const cells = rows.flatMap((place) => effectClasses.map((effect) => ({ ...place, effect })));
const shown = new Map<string, string>();
const faults: string[] = [];
let reached = 0;

async function work(): Promise<void> {
  for (let cell = cells.shift(); cell !== undefined; cell = cells.shift()) {
    const { protection, failpoint, effect } = cell;
    const result = await crashCell(sqliteGround, effect, failpoint, protection);
    if (result.reached) reached += 1;
    const text = result.reached ? `ran ${result.executions}×${result.asked ? ", asked" : ""}` : "–";
    shown.set(`${protection}|${failpoint}|${effect}`, result.faults.length === 0 ? text : `FAULT ${text}`);
    for (const fault of result.faults) faults.push(`${failpoint}, ${effect}, ${protection}: ${fault}`);
    printRows();
  }
}

/** Prints complete rows in order: the matrix takes minutes. */
function printRows(): void {
  for (let next = rows[0]; next !== undefined; next = rows[0]) {
    const { protection, failpoint } = next;
    const texts = effectClasses.map((effect) => shown.get(`${protection}|${failpoint}|${effect}`));
    if (texts.includes(undefined)) return;
    if (failpoint === failpoints[0]) console.log(row(`killed, ${protection}`, effectClasses));
    const cellTexts = texts.map((text) => text ?? "");
    console.log(row(failpoint, cellTexts));
    rows.shift();
  }
}

function row(title: string, texts: readonly string[]): string {
  return [title.padEnd(34), ...texts.map((text) => text.padEnd(15))].join("").trimEnd();
}

await Promise.all([work(), work()]);
console.log("");
const verdict = (fine: string): string => (faults.length === 0 ? fine : `${faults.length} FAULTS in all`);

let migrations = 0;
for (let statements = 0; statements < 50; statements += 1) {
  const cell = await migrationCell(statements);
  for (const fault of cell.faults) faults.push(`migration, after ${statements} statements: ${fault}`);
  if (!cell.reached) break;
  migrations += 1;
  console.log(
    row(`migration, statement ${statements + 1}`, [
      `left in format ${cell.left}${cell.faults.length === 0 ? "" : " FAULT"}`,
    ]),
  );
}
reached += migrations;
console.log(
  `\n${reached} kills: ${verdict("readers and keyed writers may have run again; every other writer took effect exactly once; what was sealed could not be read, and wrong keys were refused; every file was migrated")}.`,
);
for (const fault of faults) console.log(`FAULT ${fault}`);

const known = faults.length;
const { values } = parseArgs({
  options: { runs: { type: "string", default: "24" }, kills: { type: "string", default: "60" } },
});
const runs = Number(values.runs);
const kills = Number(values.kills);
const order = Array.from({ length: runs }, (_, run) => ({
  effect: effectClasses[run % effectClasses.length] ?? "other",
  protection: protections[Math.floor(run / effectClasses.length) % protections.length] ?? "plain",
  kills: Math.floor(((run + 1) * kills) / runs) - Math.floor((run * kills) / runs),
}));
async function killRuns(): Promise<void> {
  for (let run = order.shift(); run !== undefined; run = order.shift())
    faults.push(...(await killAtRandom(sqliteGround, run.effect, run.kills, run.protection)));
}
await Promise.all([killRuns(), killRuns()]);
console.log(
  `${kills} kills at random moments over ${runs} runs: ${verdict("every run completed, and the same holds")}.`,
);
for (const fault of faults.slice(known)) console.log(`FAULT ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
