// Finds what the API reference lacks: entry points, and exports and members without a doc comment.
import { readFileSync } from "node:fs";

/**
 * The entry points of packages that the API reference leaves out.
 *
 * @param {any} project
 * @returns {string[]}
 */
export function unlistedEntryPoints(project) {
  return project.children.flatMap((/** @type {any} */ pack) => {
    const name = pack.name === "bailiwick" ? "cli" : pack.name.replace("@bailiwick/", "");
    const folder = new URL(`../../packages/${name}/`, import.meta.url);
    const { exports } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
    const listed = new Set(modulesOf(pack).map((/** @type {any} */ module) => module.name));
    return Object.entries(exports ?? {})
      .filter(([, target]) => typeof target === "object")
      .map(([path]) => path.slice("./".length))
      .filter((path) => path !== "" && !listed.has(path) && !documentedElsewhere.has(`${pack.name}/${path}`))
      .map((path) => `${pack.name}/${path} is not an entry point of the API reference`);
  });
}

/** Entry points that only pass on exports of another one, or that applications do not import. */
const documentedElsewhere = new Set([
  "@bailiwick/agent/compose",
  "@bailiwick/agent/code-mode",
  "@bailiwick/store-sqlite/portable",
]);

/**
 * The exports of a project without a doc comment.
 *
 * @param {any} project
 * @returns {string[]}
 */
export function undocumentedExports(project) {
  return project.children.flatMap((/** @type {any} */ pack) =>
    modulesOf(pack).flatMap((/** @type {any} */ module) =>
      (module.children ?? [])
        .filter((/** @type {any} */ one) => one.variant !== "reference" && commentOf(one) === undefined)
        .map((/** @type {any} */ one) => `${pack.name} exports ${one.name} without a doc comment`),
    ),
  );
}

/**
 * The members without a doc comment of interfaces and classes that `@bailiwick/agent` exports.
 *
 * @param {any} project
 * @param {string} index the source of the facade's index
 * @returns {string[]}
 */
export function undocumentedMembers(project, index) {
  const facade = new Set(
    [...index.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) =>
      names.split(",").map((name) => name.replace(/^\s*type /, "").trim()),
    ),
  );
  return project.children.flatMap((/** @type {any} */ pack) =>
    modulesOf(pack).flatMap((/** @type {any} */ module) =>
      (module.children ?? [])
        .filter((/** @type {any} */ one) => facade.has(one.name))
        .flatMap((/** @type {any} */ one) =>
          (one.children ?? [])
            .filter((/** @type {any} */ member) => member.name !== "constructor" && member.inheritedFrom === undefined)
            .filter((/** @type {any} */ member) => (commentOf(member) ?? member.getSignature?.comment) === undefined)
            .map((/** @type {any} */ member) => `${one.name}.${member.name} has no doc comment`),
        ),
    ),
  );
}

/** @param {any} pack */
export const modulesOf = (pack) => (pack.children?.[0]?.kind === 2 ? pack.children : [pack]);

/** @param {any} one */
export const commentOf = (one) =>
  one.comment ?? one.signatures?.[0]?.comment ?? one.type?.declaration?.signatures?.[0]?.comment;
