import { defineConfig } from "vitest/config";
import { fileURLToPath } from "node:url";
import { mutantsOf } from "./policy-mutants.mjs";

const conditions = ["@bailiwick/source", "module", "node", "development|production"];
const { BAILIWICK_MUTANT_FILE: file, BAILIWICK_MUTANT: index } = process.env;

/**
 * Loads one module of the policy as edited.
 *
 * @type {import("vitest/config").Plugin}
 */
const mutant = {
  name: "bailiwick-policy-mutant",
  enforce: "pre",
  /** The edited module is never taken from the cache of another run, nor kept for one. */
  configureVitest({ defineCacheKeyGenerator }) {
    defineCacheKeyGenerator(({ id }) => (id.split("?", 1)[0] === file ? false : undefined));
  },
  transform(code, id) {
    return id.split("?", 1)[0] === file ? mutantsOf(code)[Number(index)]?.text : undefined;
  },
};

export default defineConfig({
  plugins: [mutant],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    root: fileURLToPath(new URL("../../packages/security", import.meta.url)),
    include: ["src/flow/*.test.ts"],
    bail: 1,
    isolate: false,
    testTimeout: 30_000,
    execArgv: ["--conditions=@bailiwick/source"],
  },
});
