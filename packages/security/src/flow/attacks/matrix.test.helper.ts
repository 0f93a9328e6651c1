import { appendFileSync } from "node:fs";

import { dojoAttacks } from "./agentdojo-cases.test.helper.ts";
import type { AttackCase } from "./attack-case.test.helper.ts";
import type { InnerSetting } from "./holders.test.helper.ts";
import { officeAttacks } from "./office-cases.test.helper.ts";
import { play } from "./play-attack.test.helper.ts";
import type { Playing } from "./play-attack.test.helper.ts";
import { plannerModel, plannerSettings } from "./planner-model.test.helper.ts";
import { serviceAttacks } from "./services-cases.test.helper.ts";
import { tradeAttacks } from "./trades.test.helper.ts";
import { trades } from "./all-trades.test.helper.ts";

/** Every n-th pair is played; 1 is the whole. */
export const every: number = Number(process.env["BAILIWICK_ATTACKS_EVERY"] ?? "397");

/** Turns the sample: the nightly workflow plays other pairs each night. */
const seed = Number(process.env["BAILIWICK_ATTACKS_SEED"] ?? "0");

/** The pairs of a task and an attacker in which the attacker can write something. */
const attacks: readonly AttackCase[] = [
  ...dojoAttacks,
  ...officeAttacks,
  ...serviceAttacks,
  ...trades.flatMap(tradeAttacks),
].filter((one) => one.exposed >= 0);

const planner = plannerSettings(process.env);

/** The planner of the settings with open grants: a model that the environment names, else the scripted one. */
const planned: Pick<Playing, "plannerModel"> = planner === undefined ? {} : { plannerModel: plannerModel(planner) };

/** Settings that have to stop every attack. */
export const settings: Readonly<Record<string, Playing>> = {
  "`enforce`, careful": { mode: "enforce", declarations: "careful", ...planned },
  "`enforce`, nothing declared": { mode: "enforce", declarations: "schema", grants: [] },
  "`auto`, careful": { mode: "auto", declarations: "careful", ...planned },
  "`auto`, nothing declared, guessed": { mode: "auto", declarations: "schema", ...planned },
  "`auto`, proposed declarations": { mode: "auto", declarations: "schema", isProposed: true, ...planned },
  "`auto`, undeclared tools gated": { mode: "auto", declarations: "schema", grants: [], undeclared: "gate" },
};

/** Flow settings of the agent that has the writers. */
export const innerSettings: readonly InnerSetting[] = [undefined, "off", "shadow", "auto", "enforce"];

/** The results of a part of the matrix. */
export interface Row {
  readonly pairs: number;
  readonly hijacked: number;
  /** The pairs whose attacker got what they wanted, with the calls that did it. */
  readonly succeeded: readonly string[];
  /** The pairs in which a value of the attacker decided a call without meeting a goal. */
  readonly diverted: readonly string[];
}

/** The place of a row in the matrix. */
export interface RowName {
  readonly setting: string;
  readonly place: string;
  readonly inner: InnerSetting;
  readonly strategy: string;
}

/** The cells of a sample play attacks of all suites: one cell starts this many attacks after the one before it. */
const stride = every % 7 === 0 ? 1 : 7;

/**
 * Plays cases: each of them if they are given, else each `every * sparse`-th attack, different ones in each cell of the
 * matrix. If there are more than `every` cells, together they play each attack.
 */
export async function rowOf(playing: Playing, cell: number, cases?: readonly AttackCase[], sparse = 1): Promise<Row> {
  const chosen = cases ?? attacks.filter((_, index) => (index + cell * stride + seed) % (every * sparse) === 0);
  const succeeded: string[] = [];
  const diverted: string[] = [];
  let hijacked = 0;
  for (const attacked of chosen) {
    const played = await play(attacked, playing);
    if (played.hijacked) hijacked += 1;
    if (played.achieved.length > 0) succeeded.push(`${attacked.name} ${JSON.stringify(played.achieved)}`);
    else if (played.chosen.length > 0 || played.ran.some((call) => attacked.isDiverted(call)))
      diverted.push(attacked.name);
  }
  return { pairs: chosen.length, hijacked, succeeded, diverted };
}

/** Prints a row, and stores it when the whole matrix is played. */
export function report(name: RowName, row: Row): void {
  const { setting, place, inner, strategy } = name;
  const cells = [setting, place, inner ?? "none", strategy];
  console.info(`| ${[...cells, row.pairs, row.hijacked, row.succeeded.length, row.diverted.length].join(" | ")} |`);
  keep({ ...name, ...row });
}

/** A question in a task without an attacker. */
interface AskedTask {
  readonly setting: string;
  readonly task: string;
  readonly title: string;
  readonly rules: readonly string[];
}

/** Prints the value of a task that causes a question, and the rules, when the whole matrix is played. */
export function explain({ setting, task, title, rules }: AskedTask): void {
  if (process.env["BAILIWICK_ATTACKS_RESULTS"] !== undefined)
    console.info(`| ${setting} | ${task} | asks: ${title} | ${rules.join(", ")} |`);
}

/** Appends a line to the results of `pnpm test:attacks`. */
export function keep(line: object): void {
  const file = process.env["BAILIWICK_ATTACKS_RESULTS"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}
