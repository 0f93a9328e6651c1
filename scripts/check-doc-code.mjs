// Compiles every ts block of the documentation and of the doc comments, and runs the blocks that say so. A block is its
// own module, and others of its page can import one that has a name. A block that runs is executed against a scripted
// model server. With arguments, only these pages and sources are checked. `--built` runs the blocks with the packages as
// they were built, as users do; a built package starts in half the time.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { blocksOfMarkdown, blocksOfSource } from "./lib/code-blocks.mjs";
import { errorExamples } from "./lib/error-examples.mjs";
import { filesBelow } from "./lib/files.mjs";
import { execute, startNode } from "./lib/processes.mjs";
import { root } from "./lib/project.mjs";

// Inside docs, because docs depends on every package that an example may import.
const built = process.argv.includes("--built");
const given = process.argv
  .slice(2)
  .filter((argument) => argument !== "--built")
  .map((path) => relative(root, resolve(path)).replaceAll("\\", "/"));
const folder = join(root, "docs", ".cache", given.length === 0 ? "doc-code" : `doc-code-${process.pid}`);
rmSync(folder, { recursive: true, force: true });
if (given.length > 0) process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const allPages = () => [
  ...["README.md", "CONTRIBUTING.md"].filter((file) => existsSync(join(root, file))),
  ...filesBelow(
    ["docs"],
    (path) =>
      path.endsWith(".md") && !/^docs\/(?:spec|reference|conformance|decisions|options|events|errors)\b/.test(path),
  ),
  ...filesBelow(["packages", "apps"], (path) => path.endsWith("/README.md")),
];
const allSources = () =>
  filesBelow(["packages"], (path) => /\/src\/.*\.tsx?$/.test(path) && !/\.(?:test|test-d)\.tsx?$/.test(path));
const isPage = (/** @type {string} */ file) => file.endsWith(".md");
const isSource = (/** @type {string} */ file) => /\.tsx?$/.test(file);
const pages = given.length === 0 ? allPages() : given.filter(isPage);
const sources = given.length === 0 ? allSources() : given.filter(isSource);
const conditions = built ? [] : ["--conditions=@bailiwick/source"];
const read = (/** @type {string} */ file) => readFileSync(join(root, file), "utf8");
const examples = [...errorExamples()]
  .filter(([, { file, language }]) => language === "ts" && (given.length === 0 || given.includes(file)))
  .flatMap(([code, { file, text }]) => blocksOfMarkdown(`${file}/${code}`, ["```ts", text, "```"].join("\n")));
const blocks = [
  ...examples,
  ...pages.flatMap((file) => blocksOfMarkdown(file, read(file))),
  ...sources.flatMap((file) => blocksOfSource(file, read(file))),
];

/** @type {Map<string, import("./lib/code-blocks.mjs").CodeBlock>} */
const modules = new Map();
for (const block of blocks) {
  // A page outside the repository has a place inside the folder too.
  const page = block.file.replaceAll("../", "_/");
  const name =
    block.name === undefined ? `${page}.${block.line}.${block.language}` : posix.join(posix.dirname(page), block.name);
  if (modules.has(name)) throw new Error(`${block.file}:${block.line}: rename this file, ${name} is another block.`);
  modules.set(name, block);
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  // Empty lines before the code make the compiler's line numbers those of the page.
  const isModule = /^\s*(?:import|export)\b/m.test(block.code);
  writeFileSync(path, `${"\n".repeat(block.line - 1)}${block.code}\n${isModule ? "" : "export {};\n"}`);
}
writeFileSync(
  join(folder, "tsconfig.json"),
  JSON.stringify({
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: {
      isolatedDeclarations: false,
      declaration: false,
      declarationMap: false,
      jsx: "react-jsx",
    },
    files: [...modules.keys()],
  }),
);

// The compiler and two blocks run in parallel, because a block mostly waits.
const [errors, failed] = await Promise.all([compile(), runAll()]);
const failures = [...errors, ...failed];
for (const failure of failures) console.error(failure);
if (failures.length > 0) process.exit(1);
const ran = blocks.filter(({ runs }) => runs).length;
console.log(`${blocks.length} code blocks of the documentation compile, ${ran} of them ran`);

/** @returns {Promise<string[]>} one line an error, at its place in the page */
async function compile() {
  if (modules.size === 0) return [];
  const { stdout, status } = await execute("tsc", ["-p", "tsconfig.json", "--pretty", "false"], folder);
  if (status === 0) return [];
  if (stdout === "") return [`tsc ended with ${status}`];
  return stdout
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) =>
      line.replace(/^(.+?)\((\d+),(\d+)\)/, (_all, name, row, column) => {
        const file = modules.get(name)?.file ?? name;
        return `${file}:${row}:${column}`;
      }),
    );
}

/** @returns {Promise<string[]>} the output of the blocks that failed, with their places */
async function runAll() {
  const waiting = [...modules].filter(([, { runs }]) => runs);
  /** @type {string[]} */
  const found = [];
  await Promise.all([0, 1].map(runNext));
  return found.toSorted();

  async function runNext() {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, block] = next;
      const output = await runBlock(join(folder, name), block);
      if (output !== undefined) found.push(`${block.file}:${block.line}: this block failed when it ran\n${output}`);
    }
  }
}

/**
 * @param {string} path
 * @param {import("./lib/code-blocks.mjs").CodeBlock} block
 * @returns {Promise<string | undefined>} its output when it failed
 */
async function runBlock(path, block) {
  const { modelServer } = await import(pathToFileURL(join(root, "packages/testing/src/model-server/index.ts")).href);
  await using server = await modelServer(block.model);
  const work = `${path}.run`;
  mkdirSync(work, { recursive: true });
  for (const [file, text] of Object.entries(block.files)) {
    mkdirSync(dirname(join(work, file)), { recursive: true });
    writeFileSync(join(work, file), text);
  }
  if (block.isKilled) {
    const { signal, output } = await runFile(path, work, server);
    if (signal !== "SIGKILL") return `its first process was not killed:\n${output}`;
  }
  /** @type {import("./lib/processes.mjs").Started[]} */
  const others = [];
  try {
    for (const name of block.beside) {
      const other = startNode([...conditions, join(dirname(path), name)], work, variables(server));
      others.push(other);
      await other.announced();
    }
    const { code, output } = await runFile(path, work, server);
    return code === 0 ? notPrinted(block.prints, output) : output;
  } catch (error) {
    return String(error);
  } finally {
    await Promise.all(others.map((other) => other.kill()));
  }
}

/**
 * @param {string} path
 * @param {string} work the working folder of its process
 * @param {{ baseURL(vendor: string): string }} server the model server
 * @returns {Promise<{ code: number | null, signal: string | null, output: string }>}
 */
async function runFile(path, work, server) {
  return await new Promise((resolve) => {
    const child = spawn(process.execPath, [...conditions, path], {
      cwd: work,
      timeout: 300_000,
      env: { ...process.env, ...variables(server) },
    });
    let output = "";
    child.stdout.on("data", (data) => (output += data));
    child.stderr.on("data", (data) => (output += data));
    child.on("error", (error) => resolve({ code: null, signal: null, output: error.message }));
    child.on("close", (code, signal) => resolve({ code, signal, output }));
  });
}

/**
 * The environment of a block's process.
 *
 * @param {{ baseURL(vendor: string): string }} server the model server
 */
function variables(server) {
  return {
    // The blocks import the same modules: compiled code is cached for later processes.
    NODE_COMPILE_CACHE: join(folder, "compiled"),
    OPENAI_API_KEY: "test",
    OPENAI_BASE_URL: server.baseURL("openai"),
    ANTHROPIC_API_KEY: "test",
    ANTHROPIC_BASE_URL: server.baseURL("anthropic"),
    GEMINI_API_KEY: "test",
    GOOGLE_GEMINI_BASE_URL: server.baseURL("google"),
    OLLAMA_BASE_URL: server.baseURL("ollama"),
  };
}

/**
 * @param {readonly string[]} expected lines in order
 * @param {string} output
 * @returns {string | undefined} the first line that is missing
 */
function notPrinted(expected, output) {
  let from = 0;
  for (const line of expected) {
    const at = output.indexOf(`${line}\n`, from);
    if (at < 0) return `it did not print "${line}":\n${output}`;
    from = at + line.length;
  }
  return undefined;
}
