import { existsSync, readdirSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** Workspace packages resolve to each other's source, so that no test needs a build. */
const conditions = ["@bailiwick/source"];

/** One project per package or app, named after its folder. */
const projects = ["packages", "apps"].flatMap((group) =>
  readdirSync(new URL(group, import.meta.url), { withFileTypes: true })
    .filter(
      (entry) => entry.isDirectory() && existsSync(new URL(`${group}/${entry.name}/package.json`, import.meta.url)),
    )
    .map((entry) => ({
      extends: true as const,
      resolve: { conditions: [...conditions, "module", "node", "development|production"] },
      ssr: { resolve: { conditions: [...conditions, "module", "node", "development|production"] } },
      test: {
        name: entry.name,
        root: `${group}/${entry.name}`,
        include: ["src/**/*.test.{ts,tsx}"],
        typecheck: {
          enabled: true,
          checker: "tsc" as const,
          include: ["src/**/*.test-d.ts"],
          ignoreSourceErrors: true,
          tsconfig: "tsconfig.json",
        },
      },
    })),
);

/** The repository's own tools. */
const scripts = { extends: true as const, test: { name: "scripts", root: "scripts", include: ["**/*.test.mjs"] } };

export default defineConfig({
  test: {
    projects: [...projects, scripts],
    passWithNoTests: true,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Children started by tests load the sources of the workspace too.
    execArgv: ["--conditions=@bailiwick/source"],
  },
});
