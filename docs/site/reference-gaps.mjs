// Finds the gaps of the API reference: entry points, and exports and members without a doc comment.
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

/** Entry points that only re-export another one, or that applications do not import. */
const documentedElsewhere = new Set([
  "@bailiwick/agent/compose",
  "@bailiwick/agent/code-mode",
  "@bailiwick/store-sqlite/portable",
  "@bailiwick/testing/simulation/register",
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
 * The members of exported interfaces and classes without a doc comment.
 *
 * @param {any} project
 * @returns {string[]}
 */
export function undocumentedMembers(project) {
  return project.children.flatMap((/** @type {any} */ pack) =>
    modulesOf(pack).flatMap((/** @type {any} */ module) =>
      (module.children ?? []).flatMap((/** @type {any} */ one) =>
        (one.children ?? [])
          .filter(lacksComment)
          .map((/** @type {any} */ member) => `${pack.name}: ${one.name}.${member.name} has no doc comment`),
      ),
    ),
  );
}

/** @param {any} member */
function lacksComment(member) {
  if (member.name === "constructor" || member.inheritedFrom !== undefined) return false;
  return (commentOf(member) ?? member.getSignature?.comment) === undefined;
}

/**
 * The parameters of exported functions, function types, methods and constructors without a description.
 *
 * @param {any} project
 * @returns {string[]}
 */
export function undescribedParameters(project) {
  return project.children.flatMap((/** @type {any} */ pack) =>
    modulesOf(pack).flatMap((/** @type {any} */ module) =>
      (module.children ?? [])
        .filter((/** @type {any} */ one) => one.variant !== "reference")
        .flatMap((/** @type {any} */ one) => [
          ...parametersOf(one.signatures ?? one.type?.declaration?.signatures, one.name),
          ...(one.children ?? []).flatMap((/** @type {any} */ member) =>
            parametersOf(member.inheritedFrom ? [] : member.signatures, `${one.name}.${member.name}`),
          ),
        ])
        .map((/** @type {string} */ name) => `${pack.name}: ${name} has no description: add an @param`),
    ),
  );
}

/**
 * @param {readonly any[] | undefined} signatures
 * @param {string} name
 * @returns {string[]}
 */
function parametersOf(signatures, name) {
  return (signatures ?? []).flatMap((signature) =>
    (signature.parameters ?? [])
      .filter((/** @type {any} */ one) => one.name !== "this" && !/\S/.test(textOf(one.comment)))
      .map((/** @type {any} */ one) => `the parameter "${one.name}" of ${name}()`),
  );
}

/** @param {any} comment */
const textOf = (comment) => (comment?.summary ?? []).map((/** @type {any} */ part) => part.text).join("");

/** @param {any} pack */
export const modulesOf = (pack) => (pack.children?.[0]?.kind === 2 ? pack.children : [pack]);

/** @param {any} one */
export const commentOf = (one) =>
  one.comment ?? one.signatures?.[0]?.comment ?? one.type?.declaration?.signatures?.[0]?.comment;
