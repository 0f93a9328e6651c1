// Licenses of what the published packages bring, from an SBOM in the form of CycloneDX.

/** Licenses, as SPDX names them, that let an MIT package depend on theirs without conditions beyond a notice. */
const allowed = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "Python-2.0",
  "Unlicense",
]);

/**
 * A package of an SBOM.
 *
 * @typedef {object} Component
 * @property {string} name
 * @property {string} [group]
 * @property {string} version
 * @property {{ license?: { id?: string, name?: string }, expression?: string }[]} [licenses]
 */

/**
 * @param {readonly Component[]} components
 * @param {ReadonlySet<string>} own packages of this repository
 * @returns {string} a page with a table: each package, its version and its license
 */
export function licenseReport(components, own) {
  const rows = foreign(components, own).map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`);
  return `# Licenses of runtime dependencies\n\n| package | version | license |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
}

/**
 * @param {readonly Component[]} components
 * @param {ReadonlySet<string>} own packages of this repository
 * @returns {string[]} the packages whose license is missing or not allowed
 */
export function licenseProblems(components, own) {
  return foreign(components, own)
    .filter(({ license }) => !fits(license))
    .map(({ name, version, license }) => `${name} ${version}: ${license}`);
}

/**
 * @param {string} license one, or an expression such as "(MIT OR GPL-3.0)"
 * @returns {boolean}
 */
function fits(license) {
  const words = license.replace(/^\((.*)\)$/, "$1");
  if (/\bAND\b/.test(words)) return words.split(/ AND /).every((word) => fits(word.trim()));
  return words.split(/ OR /).some((word) => allowed.has(word.trim()));
}

/**
 * @param {readonly Component[]} components
 * @param {ReadonlySet<string>} own
 */
function foreign(components, own) {
  return components
    .map(({ group, name, version, licenses = [] }) => ({
      name: group === undefined || name.startsWith(`${group}/`) ? name : `${group}/${name}`,
      version,
      license:
        licenses.map((one) => one.expression ?? one.license?.id ?? one.license?.name ?? "").join(" AND ") || "none",
    }))
    .filter(({ name }) => !own.has(name))
    .toSorted((one, other) => one.name.localeCompare(other.name) || one.version.localeCompare(other.version));
}
