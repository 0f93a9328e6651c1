import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { absentCapabilities, chromium, requiredCapabilities, wireRecordings } from "./scripts/lib/capabilities.mjs";
import { mutatedFile } from "./scripts/lib/mutated-file.mjs";
import { propertySettings, propertyTests } from "./scripts/lib/property-tests.mjs";

/** Workspace packages resolve to each other's source, so that no test needs a build. */
const conditions = ["@bailiwick/source", "module", "node", "development|production"];

/** Tests of large tables play other cells with each commit; without Git, always the same ones. */
process.env["BAILIWICK_DRAW"] ??= spawnSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).stdout?.trim() ?? "";

/** Tests that need what this machine lacks are not registered, unless their absence is to be a failure. */
const required = requiredCapabilities();
const exclude = absentCapabilities()
  .filter(({ name }) => !required.includes(name))
  // A file may need two: `pages.browser.postgres.test.ts`.
  .map(({ name }) => `**/*.${name}{,.*}.test.{ts,tsx}`);

/**
 * Packages whose tests take back what they change in their process: their files share a worker, which loads the sources
 * once. Tests that need a database or a browser keep a worker for each file.
 */
const shared = /^(?:agent|core|mcp|memory|security|server|testing|worker|providers-.+)$/u;

/** One project per package or app, named after its folder. */
const projects = ["packages", "apps"].flatMap((group) =>
  readdirSync(new URL(group, import.meta.url))
    .filter((name) => existsSync(new URL(`${group}/${name}/package.json`, import.meta.url)))
    .map((name) => ({
      extends: true as const,
      plugins: [propertyTests(propertySettings), mutatedFile(process.env["BAILIWICK_MUTANT"])],
      resolve: { conditions },
      ssr: { resolve: { conditions } },
      test: {
        name,
        root: `${group}/${name}`,
        isolate: !shared.test(name),
        include: ["{src,web,test}/**/*.test.{ts,tsx}"],
        exclude: ["**/node_modules/**", "**/dist/**", "{src,test}/simulation/**", ...exclude],
        typecheck: {
          enabled: true,
          checker: "tsc" as const,
          include: ["{src,test}/**/*.test-d.ts"],
          ignoreSourceErrors: true,
          // Of the type tests alone: the check of all types compiles the rest.
          tsconfig: "tsconfig.type-tests.json",
        },
      },
    })),
);

/** Tests of simulations: the globals are routed before any other module loads. */
const simulation = {
  extends: true as const,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: "simulation",
    include: ["packages/*/{src,test}/simulation/**/*.test.ts"],
    setupFiles: ["packages/testing/src/simulation/register.ts"],
  },
};

export default defineConfig({
  test: {
    projects: [
      ...projects,
      simulation,
      { extends: true, test: { name: "scripts", root: "scripts", include: ["**/*.test.mjs"] } },
    ],
    passWithNoTests: true,
    // Many tests wait for processes, browsers and databases that they start: two workers more than there are cores.
    maxWorkers: availableParallelism() + 2,
    // What goes wrong says so by itself; these ends are for what hangs. A busy machine lets a process stand still for
    // seconds, so no test has a shorter end of its own: `scripts/time-limits.test.mjs`.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 240_000 } },
    provide: { chromium, wireRecordings },
    // Workers and the children they start load the sources of the workspace too.
    execArgv: ["--conditions=@bailiwick/source"],
  },
});
