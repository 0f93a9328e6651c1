// Cases of property tests: the same ones in each run of `npm test`, others on request.

/** Settings of property tests: `seed` is a number or `random`, `factor` multiplies the number of cases. */
export const propertySettings = {
  seed: process.env.BAILIWICK_PROPERTY_SEED ?? "1",
  factor: Number(process.env.BAILIWICK_PROPERTY_FACTOR ?? 1),
};

/** @typedef {{ readonly seed: string, readonly factor: number }} PropertySettings */

const prefix = "\0property-tests:";

/**
 * The code of a module that is fast-check under these settings.
 *
 * @param {PropertySettings} settings
 * @param {string} library Where fast-check is.
 */
export function seededLibrary({ seed, factor }, library) {
  if (seed !== "random" && !Number.isInteger(Number(seed))) {
    throw new Error(`The seed of property tests is a whole number or "random", not "${seed}".`);
  }
  if (!(factor >= 1)) throw new Error(`The factor of property tests is a number from 1, not ${factor}.`);
  const path = JSON.stringify(library);
  return `
    import * as library from ${path};
    export * from ${path};
    library.configureGlobal({ ${seed === "random" ? "" : `seed: ${Number(seed)}`} });
    export const assert = (property, settings) =>
      library.assert(property, { ...settings, numRuns: Math.round((settings?.numRuns ?? 100) * ${factor}) });
  `;
}

/**
 * Hands tests the fast-check of these settings.
 *
 * @param {PropertySettings} settings
 * @returns {import("vitest/config").Plugin}
 */
export function propertyTests(settings) {
  return {
    name: "property-tests",
    enforce: "pre",
    async resolveId(source, importer) {
      if (source !== "fast-check" || importer?.startsWith(prefix)) return undefined;
      const library = await this.resolve(source, importer, { skipSelf: true });
      return library === null ? undefined : prefix + library.id;
    },
    load(id) {
      return id.startsWith(prefix) ? seededLibrary(settings, id.slice(prefix.length)) : undefined;
    },
  };
}
