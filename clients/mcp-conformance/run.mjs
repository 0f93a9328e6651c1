// Runs both frozen sets of the official kit against both sides, and writes one result for each scenario.
// `node run.mjs results.json "client .* auth/"` runs the scenarios with such names alone.
import { execFile, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const here = import.meta.dirname;
const [resultsFile = "results.json", only = ""] = process.argv.slice(2);
const kit = join(here, "node_modules/@modelcontextprotocol/conformance");
const node = [process.execPath, "--disable-warning=ExperimentalWarning"];
/** A bundle starts in a third of the time that the sources take, and each scenario starts a client. */
const [clientProgram = "", serverProgram = ""] = execFileSync(
  process.execPath,
  [join(here, "../../scripts/bundle-programs.mjs"), join(here, "client.ts"), join(here, "server.ts")],
  { encoding: "utf8" },
)
  .trim()
  .split("\n");
const revisions = ["2025-11-25", "2026-07-28"];
/** Scenarios at a time, and how long one may take, in milliseconds. */
const concurrency = 2;
const timeout = 300_000;

const folder = mkdtempSync(join(tmpdir(), "mcp-conformance-"));
const server = spawn(node[0] ?? "", [...node.slice(1), serverProgram], {
  stdio: ["ignore", "pipe", "inherit"],
});
process.once("exit", () => server.kill());
process.once("SIGTERM", () => process.exit(1));
try {
  const url = await firstLine(server);
  const pattern = new RegExp(only, "u");
  const wanted = (leg) =>
    revisions
      .flatMap((revision) =>
        scenariosOf(revision, leg).map((scenario) => ({ revision, scenario, name: `${leg} ${revision} ${scenario}` })),
      )
      .filter(({ name }) => pattern.test(name));
  const results = [];
  // The kit runs the scenarios of a server one after the other in one process. Those of a client it would start all at
  // once, so each has its own process.
  const ofServer = wanted("server");
  for (const revision of revisions) {
    const scenarios = ofServer.filter((one) => one.revision === revision);
    if (scenarios.length > 0) results.push(...(await runServer(revision, scenarios, url)));
  }
  const ofClient = wanted("client");
  let next = 0;
  const work = async () => {
    for (let index = next++; index < ofClient.length; index = next++)
      results.push(await runClient(ofClient[index], index));
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  writeFileSync(resultsFile, JSON.stringify(results, null, 2));
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** Runs the frozen set of a revision against the server, and judges these scenarios. */
async function runServer(revision, scenarios, url) {
  const output = join(folder, `server-${revision}`);
  const said = await kitSays(["server", "--url", url, "--requirements", revision], output, scenarios.length);
  const all = existsSync(output) ? readdirSync(output) : [];
  return scenarios.map(({ scenario, name }) => {
    const stamped = new RegExp(`^server-${scenario}-\\d{4}-\\d{2}-\\d{2}T[\\d-]+Z$`, "u");
    const own = all.filter((each) => stamped.test(each));
    return judged(
      name,
      own.flatMap((each) => checksBelow(join(output, each))),
      said,
    );
  });
}

/** Runs one scenario against a client. */
async function runClient({ revision, scenario, name }, index) {
  const output = join(folder, String(index));
  // Extensions have no separate revision.
  const options = ["--scenario", scenario, "--spec-version", revision, "--force"];
  const said = await kitSays(["client", "--command", [...node, clientProgram].join(" "), ...options], output, 1);
  return judged(name, checksBelow(output), said);
}

/** Runs the kit, and returns what it prints on its error stream. */
async function kitSays(args, output, scenarios) {
  const said = await promisify(execFile)(
    process.execPath,
    [join(kit, "dist/index.js"), ...args, "--timeout", String(timeout), "-o", output],
    { timeout: scenarios * timeout + 30_000, maxBuffer: 64 * 1024 * 1024 },
  ).catch((error) => error);
  return String(said.stderr ?? said);
}

/** A scenario passes if the kit made checks and none of them failed. */
function judged(name, checks, said) {
  const failures = checks.filter(({ status }) => status === "FAILURE");
  const passed = checks.length > 0 && failures.length === 0;
  const detail = failures.map(({ id, errorMessage }) => `${id}: ${errorMessage ?? ""}`).join("\n");
  return { name, passed, detail: passed ? "" : detail || `The kit made no checks.\n${said}` };
}

function checksBelow(output) {
  try {
    return readdirSync(output, { recursive: true, withFileTypes: true })
      .filter(({ name }) => name === "checks.json")
      .flatMap(({ parentPath, name }) => JSON.parse(readFileSync(join(parentPath, name), "utf8")));
  } catch {
    return [];
  }
}

/** Scenarios of a frozen set for one side, those that the kit runs without scoring them included. */
function scenariosOf(revision, leg) {
  const lines = readFileSync(join(kit, "requirements", `${revision}.yaml`), "utf8").split("\n");
  const names = [];
  let section = "";
  for (const [index, line] of lines.entries()) {
    const heading = /^(\w+):/u.exec(line)?.[1];
    if (heading !== undefined) section = heading;
    const name = /^ {2}- (?:scenario: )?([\w/-]+)$/u.exec(line)?.[1];
    if (name === undefined) continue;
    const of = section === "not_scored" ? /leg: (\w+)/u.exec(lines[index + 1] ?? "")?.[1] : section;
    if (of === leg) names.push(name);
  }
  if (names.length === 0) throw new Error(`The kit's set ${revision} has no scenario for a ${leg}.`);
  return names;
}

function firstLine(child) {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (bytes) => {
      text += String(bytes);
      const line = /^(http.*)\n/mu.exec(text)?.[1];
      if (line !== undefined) resolve(line);
    });
    child.once("exit", (code) => reject(new Error(`The server ended with code ${code} before it was ready.`)));
  });
}
