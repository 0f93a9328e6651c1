// The types of an agent under the module settings that projects have.
import { spawnSync } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./lib/project.mjs";

const source = `import { Agent, tool } from "@bailiwick/agent";
import type { ModelProvider } from "@bailiwick/agent";
import { z } from "zod";
declare const model: ModelProvider;
const deep = z.object({ a: z.object({ b: z.array(z.object({ c: z.union([z.string(), z.number()]), d: z.record(z.string(), z.array(z.string())) })) }), e: z.discriminatedUnion("k", [z.object({ k: z.literal("x"), x: z.string() }), z.object({ k: z.literal("y"), y: z.number() })]) });
const find = tool({ name: "find", description: "Finds.", inputSchema: deep, execute: ({ a }) => a.b.map(({ c }) => c) });
const { structured, toolCalls } = await new Agent({ name: "a", model, tools: [find], output: deep }).run("go");
export const k: "x" | "y" | undefined = structured?.e.k;
export const names: readonly string[] = toolCalls.map(({ toolName }) => toolName);
// @ts-expect-error inference did not give up: this is not a number
export const wrong: number | undefined = structured?.e.k;
`;

for (const [module, moduleResolution] of [
  ["NodeNext", "NodeNext"],
  ["ESNext", "Bundler"],
  ["Preserve", "Bundler"],
]) {
  test(
    `a deep schema is inferred with module ${module} and moduleResolution ${moduleResolution}, strictly [field-bug:PB-types-02]`,
    { timeout: 300_000 },
    () => {
      mkdirSync(join(root, "apps/desk/.cache"), { recursive: true });
      const folder = mkdtempSync(join(root, "apps/desk/.cache/types-"));
      try {
        writeFileSync(join(folder, "use.mts"), source);
        const compilerOptions = {
          module,
          moduleResolution,
          target: "ES2023",
          lib: ["ES2023", "ES2024.String", "ESNext.Disposable"],
          types: ["node"],
          strict: true,
          skipLibCheck: true,
          noEmit: true,
          allowImportingTsExtensions: true,
          // `npm test` has built the packages: their types are what users have, and compile faster.
          customConditions: process.env.BAILIWICK_BUILT === undefined ? ["@bailiwick/source"] : [],
          exactOptionalPropertyTypes: true,
        };
        writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.mts"] }));
        const { stdout } = spawnSync("tsc", ["-p", folder, "--pretty", "false"], {
          cwd: root,
          encoding: "utf8",
          shell: process.platform === "win32",
        });
        expect(stdout).toBe("");
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
}
