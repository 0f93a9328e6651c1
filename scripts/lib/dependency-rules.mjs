// Dependencies that each package may have, and checks for violations.
import { importSpecifiers } from "./import-specifiers.mjs";

/**
 * Packages of this repository that the shipped code of each may use.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const allowed = {
  core: [],
  "fetch-node": [],
  "providers-openai": ["core"],
  "providers-anthropic": ["core"],
  "providers-google": ["core"],
  "providers-ai-sdk": ["core"],
  security: ["core"],
  compose: ["core"],
  memory: ["core"],
  // Names and texts of skills are scanned as other foreign text.
  skills: ["core", "security"],
  "store-sqlite": ["core"],
  // The statements of SQLite are the same in a file and in a Durable Object.
  "store-durable-objects": ["core", "store-sqlite"],
  "store-postgres": ["core"],
  restate: ["core"],
  workspace: ["core", "security"],
  mcp: ["core", "security"],
  // Webhooks are sent through the guarded fetch, because others may name their addresses.
  worker: ["core", "security"],
  server: ["core"],
  // A run is saved as a recording that the testing package replays.
  studio: ["core", "server", "testing", "worker"],
  react: ["core"],
  otel: ["core"],
  testing: ["core"],
  agent: ["core", "compose", "security", "fetch-node"],
  // A judge is an agent; evaluations and rehearsals play scripted models.
  evals: ["core", "testing", "agent"],
  "create-bailiwick": [],
  // The command line inspects stores, drives and serves: it is above every other package.
  bailiwick: [
    "agent",
    "compose",
    "core",
    "mcp",
    "security",
    "server",
    "skills",
    "store-postgres",
    "store-sqlite",
    "studio",
    "worker",
  ],
};

/** Packages that run outside Node too. */
const portable = new Set([
  "core",
  "compose",
  "agent",
  "providers-openai",
  "providers-anthropic",
  "providers-google",
  "providers-ai-sdk",
  "server",
  "react",
  "store-durable-objects",
]);

/**
 * @typedef {object} PackageSources
 * @property {string} folder
 * @property {{ name: string, dependencies?: Record<string, string>, peerDependencies?: Record<string, string>,
 *   devDependencies?: Record<string, string> }} manifest
 * @property {readonly { path: string, text: string }[]} sources
 */

/**
 * @param {readonly PackageSources[]} packages
 * @returns {string[]} one line a problem
 */
export function forbiddenDependencies(packages) {
  return packages.flatMap(({ folder, manifest, sources }) => {
    const short = manifest.name.replace("@bailiwick/", "");
    const may = allowed[short];
    if (may === undefined)
      return [`${folder}: say in scripts/lib/dependency-rules.mjs what ${manifest.name} may depend on`];
    const problems = [];
    const shipped = { ...manifest.dependencies, ...manifest.peerDependencies };
    for (const name of Object.keys(shipped)) {
      const other = name.startsWith("@bailiwick/") ? name.slice("@bailiwick/".length) : undefined;
      if (other !== undefined && !may.includes(other)) problems.push(`${folder}: may not depend on ${name}`);
    }
    for (const { path, text } of sources) {
      const test = /\.(?:test|test-d|fixture|test\.helper)\.tsx?$/.test(path);
      for (const name of importedPackages(text)) {
        if (name === manifest.name) continue;
        if (name === "node") {
          if (!test && portable.has(short))
            problems.push(`${path}: ${short} runs outside Node, so it may not import node:`);
        } else if (!(name in shipped) && !(test && (name in (manifest.devDependencies ?? {}) || name === "vitest")))
          problems.push(
            `${path}: imports ${name}, which is not a ${test ? "" : "runtime "}dependency of ${manifest.name}`,
          );
      }
    }
    return problems;
  });
}

/**
 * @param {string} text a source file
 * @returns {Set<string>} packages that it imports; `node` for Node's own modules
 */
export function importedPackages(text) {
  const names = new Set();
  for (const specifier of importSpecifiers(text)) {
    if (specifier.startsWith(".") || specifier.startsWith("#")) continue;
    if (specifier.startsWith("node:")) names.add("node");
    else
      names.add(
        specifier
          .split("/")
          .slice(0, specifier.startsWith("@") ? 2 : 1)
          .join("/"),
      );
  }
  return names;
}
