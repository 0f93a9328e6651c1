import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { templates } from "./templates.ts";
import versions from "./versions.json" with { type: "json" };

const bin = fileURLToPath(new URL("../bin/create-bailiwick.cjs", import.meta.url));
const own = fileURLToPath(new URL("..", import.meta.url));
const cache = join(own, ".cache");
/** Packages that only a created project installs: they bring runtimes and compilers. `pnpm test:templates` checks these. */
const onlyInProjects: readonly string[] = ["wrangler", "next"];
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
let folder = "";

// Below the package, so that a project finds the packages of the workspace.
beforeAll(() => {
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "projects-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
}

function node(args: readonly string[], cwd: string): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], OPENAI_API_KEY: "test", NODE_NO_WARNINGS: "1" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once("close", (exitCode) => resolve({ exitCode, output })));
}

const create = (args: readonly string[]): Promise<Ended> =>
  node(["--conditions=@bailiwick/source", bin, ...args, "--no-install"], folder);

for (const { name, stores } of templates)
  for (const store of stores)
    test(`the template ${name} with ${store} is created, typechecks, and passes its tests`, async () => {
      const project = join(folder, `${name}-${store}`);
      const created = await create([project, "--template", name, "--store", store]);
      expect(created.exitCode, created.output).toBe(0);
      expect(existsSync(join(project, ".gitignore"))).toBe(true);
      const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as {
        readonly name: string;
        readonly dependencies: Readonly<Record<string, string>>;
      };
      expect(manifest.name).toBe(`${name}-${store}`);
      expect(Object.values(manifest.dependencies).every((version) => /^\d+\.\d+\.\d+/.test(version))).toBe(true);

      const checked = await node([tsc, "-p", project, "--customConditions", "@bailiwick/source"], project);
      // The sources of the workspace are checked with stricter settings elsewhere.
      const problems = checked.output.split("\n").filter((line) => /^[\w].*error TS/.test(line));
      const isAbsent = (line: string): boolean =>
        onlyInProjects.some((absent) => line.includes("error TS2307") && new RegExp(`'${absent}['/]`).test(line));
      expect(problems.filter((line) => !isAbsent(line))).toEqual([]);
      const tested = await node(["--conditions=@bailiwick/source", "--test", "test/agent.test.ts"], project);
      expect(tested.exitCode, tested.output).toBe(0);
    });

test("a folder with files, an unknown template and a missing terminal are refused", async () => {
  writeFileSync(join(folder, "note.txt"), "mine");
  expect(await create([folder, "--template", "mcp"])).toMatchObject({ exitCode: 1 });
  expect(readFileSync(join(folder, "note.txt"), "utf8")).toBe("mine");
  expect(await create(["x", "--template", "none"])).toMatchObject({ exitCode: 2 });
  const asked = await create([]);
  expect(asked).toMatchObject({ exitCode: 1, output: expect.stringContaining("--template") as string });
});

test("the pins of the templates are the versions that the repository is tested with", () => {
  const lock = readFileSync(join(own, "../../pnpm-lock.yaml"), "utf8");
  for (const [name, version] of Object.entries(versions)) {
    if (onlyInProjects.includes(name)) continue;
    const key = name.startsWith("@") ? `'${name}'` : name;
    expect(lock).toMatch(
      new RegExp(`^    ${key}:\\n      specifier: .*\\n      version: ${version.replaceAll(".", "\\.")}$`, "m"),
    );
  }
  const { dependencies } = JSON.parse(readFileSync(join(own, "../../examples/next/package.json"), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  expect(versions.next).toBe(dependencies["next"]);
});
