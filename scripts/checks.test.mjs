// Each check of `npm test` fails if its subject is broken.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, expect, test } from "vitest";
import { root } from "./lib/project.mjs";

const folder = mkdtempSync(join(tmpdir(), "checks-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const minutes = 60_000;

/**
 * @param {string} script
 * @param {readonly string[]} args
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function run(script, ...args) {
  const path = `${join(root, "node_modules/.bin")}:${process.env["PATH"]}`;
  const child = spawn(process.execPath, ["--conditions=@bailiwick/source", join(root, "scripts", script), ...args], {
    cwd: root,
    env: { ...process.env, PATH: path },
  });
  let output = "";
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (output += data));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })));
}

/**
 * @param {string} script
 */
function isPartOfTheTest(script) {
  return readFileSync(join(root, "scripts/test.mjs"), "utf8").includes(`script("${script}"`);
}

const fence = "```";
const runs = "\n<!-- runs -->\n";
const page = (/** @type {string} */ code, mark = "") => `# A page\n\nText.\n${mark}\n${fence}ts\n${code}\n${fence}\n`;

test(
  "an example of the documentation that does not compile, or fails when it runs, fails the check at its place [feature:X111]",
  async () => {
    expect(isPartOfTheTest("check-doc-code")).toBe(true);
    const good = join(folder, "good.md");
    writeFileSync(good, page('import { tool } from "@bailiwick/agent";\nconsole.log(typeof tool);', runs));
    expect(await run("check-doc-code.mjs", good)).toMatchObject({
      code: 0,
      output: expect.stringContaining("1 code blocks of the documentation compile, 1 of them ran"),
    });
    const wrong = join(folder, "wrong.md");
    writeFileSync(wrong, page('import { tool } from "@bailiwick/agent";\n\nexport const broken: number = tool;'));
    const source = join(folder, "source.ts");
    writeFileSync(
      source,
      `/**\n * Says it.\n *\n * @example\n * ${fence}ts\n * export const wrong: string = 1;\n * ${fence}\n */\nexport const a = 1;\n`,
    );
    const refused = await run("check-doc-code.mjs", wrong, source);
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(/wrong\.md:8:14: error TS2322/);
    expect(refused.output).toMatch(/source\.ts:6:\d+: error TS2322/);
    const fails = join(folder, "fails.md");
    writeFileSync(fails, page('throw new Error("It did not work out.");', runs));
    const failed = await run("check-doc-code.mjs", fails);
    expect(failed.code).toBe(1);
    expect(failed.output).toMatch(/fails\.md:\d+: this block failed when it ran[\s\S]*It did not work out/);
  },
  10 * minutes,
);
