// The page "How this is tested".

/**
 * @typedef {object} PlayedShape
 * @property {string} name
 * @property {number} histories
 * @property {number} singles
 * @property {number} points
 * @property {Readonly<Partial<Record<string, number>>>} faults
 */

/** Kinds of faults, in the order of the table. */
const kinds = ["die", "dieAfter", "pause", "pauseAfter", "late", "lost", "away", "lostWakeUp", "clock"];
/** Actions of the user of a chat. */
const actions = [
  "send",
  "attach",
  "edit",
  "regenerate",
  "retry",
  "stop",
  "reload",
  "approve",
  "reject",
  "approveElsewhere",
  "rejectElsewhere",
];

/** Coverage of each promise: exhaustive, sampled, not simulated. */
const promises = [
  [
    "An effect happens once, or a person is asked",
    "each single fault at each choice point of each shape, at night",
    "histories with drawn orders and faults",
    "threads, `fsync` and kernels: tests that kill real processes on SQLite and PostgreSQL",
  ],
  [
    "Accepted work is done",
    "each single fault of each shape, at night",
    "histories with drawn orders and faults",
    "vendors of models: recorded answers",
  ],
  [
    "A run ends or waits for a named reason, and never ends because of its host",
    "each error code in the table of outcomes",
    "histories with drawn orders and faults",
    "a process that freezes inside a write transaction of SQLite: tests with real signals",
  ],
  [
    "A journal has no gap and no record of a former holder",
    "the conformance kit of stores",
    "histories with drawn orders and faults",
    "torn writes: tests of the SQLite files",
  ],
  [
    "A page shows what the model read",
    "each single request of a page's start, in a browser",
    "sequences of users' actions in one and two tabs",
    "browsers: tests in Chromium",
  ],
  [
    "A fault of one run leaves others alone",
    "each fault of each request of a shared MCP connection",
    "none",
    "programs over stdio: tests with real processes",
  ],
];

/** Bugs that histories found, each with the repair. */
const found = [
  ["A process that was paused made an effect after another one had made it", "the lease is proved before each effect"],
  ["A run ended as failed because its store was away", "endings of the host give the run back"],
  ["Two tabs that sent at once continued each other", "a message finds its place after the run before it has begun"],
  ["A page resumed the answer to a message of another tab", "it names the last message that it shows"],
  ["Runs that waited for one opening of an MCP connection all failed with it", "each opens it itself once"],
];

/** Planted bugs, and what notices them. */
const planted = [
  ["intents that are not committed before effects", "the simulator"],
  ["an uncertain effect that is repeated", "the simulator"],
  ["a former holder that may append", "the simulator"],
  ["leases that end at half of their time", "the simulator"],
  ["a store that loses acknowledged records", "the self-test of each simulation"],
  ["a person whose answers about outcomes are false", "the self-test of each simulation"],
  ["a head that is not compared", "the conformance kit of stores"],
];

/**
 * @param {{ rows: readonly PlayedShape[], seeds: number, from: number, commit: string, isSingle: boolean }} night
 * @returns {string}
 */
export function howTestedPage({ rows, seeds, from, commit, isSingle }) {
  const shapes = rows.filter(({ name }) => !name.startsWith("a chat"));
  const chats = rows.filter(({ name }) => name.startsWith("a chat"));
  const counts = (/** @type {PlayedShape} */ { faults }, /** @type {readonly string[]} */ of) =>
    of.map((kind) => String(faults[kind] ?? 0));
  return `---
keywords: how it is tested, simulation, seeds, coverage, chaos, proof, planted bugs
---

# How this is tested

<!-- Written by scripts/simulation.mjs: do not edit. -->

A deterministic simulation plays agents, chats and shared connections with faults, from seeds that you can repeat. This page has the counts of one night: commit \`${commit}\`, seeds ${from} to ${from + seeds - 1} of each shape${isSingle ? ", and each single fault" : ""}. One command repeats them in a copy of the repository:

\`\`\`sh
pnpm test:simulation --from ${from} --seeds ${seeds}${isSingle ? " --single" : ""}
\`\`\`

The guide [Simulate faults](./simulation.md) shows how to play your own application.

## Promises

${table(["promise", "exhaustive", "sampled", "not simulated, and what tests it"], promises)}

## Shapes and faults

Times that each kind of fault was played for each shape of agents:

${table(
  ["shape", "histories", "single faults", "choice points", ...kinds.map((kind) => `\`${kind}\``)],
  shapes.map((row) => [
    row.name,
    String(row.histories),
    String(row.singles),
    String(row.points),
    ...counts(row, kinds),
  ]),
)}

## Chats

Times that each action of a user was taken, and that a request was late, lost or refused:

${table(
  ["page", "histories", ...[...actions, "late", "lost", "away"].map((kind) => `\`${kind}\``)],
  chats.map((row) => [row.name, String(row.histories), ...counts(row, [...actions, "late", "lost", "away"])]),
)}

## Bugs that histories found

${table(["bug", "repair"], found)}

The histories are known ones: each change plays them first.

## Planted bugs

${table(["bug that was planted", "noticed by"], planted)}

## Limits

Simulated processes share the state of modules, so starvation between real processes is not seen. Disks, kernels, browsers and vendors are not simulated. The table of promises names the tests that cover them.
`;
}

/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
function table(head, rows) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
