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
/** The packages as they were built by `npm test`, which start and compile faster; otherwise their sources. */
const conditions: readonly string[] = process.env["BAILIWICK_BUILT"] === undefined ? ["@bailiwick/source"] : [];
const nodeConditions = conditions.map((name) => `--conditions=${name}`);
let folder = "";

// Inside the package, so that a project finds the packages of the workspace.
beforeAll(() => {
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "projects-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
}

function node(args: readonly string[], cwd: string): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      OPENAI_API_KEY: "test",
      NODE_NO_WARNINGS: "1",
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once("close", (exitCode) => resolve({ exitCode, output })));
}

const create = (args: readonly string[]): Promise<Ended> =>
  node([...nodeConditions, bin, ...args, "--no-install"], folder);

const projects = templates.flatMap(({ name, stores }) =>
  stores.map((store) => ({ title: `${name} with ${store}`, template: name, store, folder: `${name}-${store}` })),
);

test.each(projects)("the template $title is created and passes its tests", async (made) => {
  const project = join(folder, made.folder);
  const created = await create([project, "--template", made.template, "--store", made.store]);
  expect(created.exitCode, created.output).toBe(0);
  expect(existsSync(join(project, ".gitignore"))).toBe(true);
  const manifest = readJson(join(project, "package.json")) as {
    readonly name: string;
    readonly dependencies: Readonly<Record<string, string>>;
  };
  expect(manifest.name).toBe(made.folder);
  expect(Object.values(manifest.dependencies).every((version) => /^\d+\.\d+\.\d+/.test(version))).toBe(true);
  const tested = await node([...nodeConditions, "--test", "test/agent.test.ts"], project);
  expect(tested.exitCode, tested.output).toBe(0);
});

test("the created projects type-check", async () => {
  // Projects with the same compiler options share a program, so that the workspace's sources are read once.
  const programs = new Map<string, string[]>();
  for (const made of projects) {
    const { compilerOptions } = readJson(join(folder, made.folder, "tsconfig.json")) as { compilerOptions: object };
    const options = JSON.stringify(compilerOptions);
    programs.set(options, [...(programs.get(options) ?? []), made.folder]);
  }
  expect([...programs.values()].flat()).toHaveLength(projects.length);
  for (const [index, [options, folders]] of [...programs].entries()) {
    const config = join(folder, `tsconfig.${index}.json`);
    const include = folders.flatMap((name) => [`${name}/**/*.ts`, `${name}/**/*.tsx`]);
    writeFileSync(config, JSON.stringify({ compilerOptions: JSON.parse(options) as object, include }));
    const checked = await node(
      [tsc, "-p", config, ...conditions.flatMap((name) => ["--customConditions", name])],
      folder,
    );
    // The sources of the workspace are checked with stricter settings elsewhere.
    const problems = checked.output.split("\n").filter((line) => line.includes("error TS") && !line.startsWith("../"));
    const isAbsent = (line: string): boolean =>
      onlyInProjects.some((absent) => line.includes("error TS2307") && new RegExp(`'${absent}['/]`).test(line));
    expect(problems.filter((line) => !isAbsent(line))).toEqual([]);
  }
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
  const { dependencies } = readJson(join(own, "../../examples/next/package.json")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  expect(versions.next).toBe(dependencies["next"]);
});
