/**
 * Reads the ids that the pages of `docs/spec` give to their claims.
 *
 * @module
 */

const ID = /\[([a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+)\]/g;
const BUG_ROW = /^\| (PB-[a-z0-9-]+) \| ([a-z-]+) \| (.+) \|$/;
const FEATURE_ROW = /^\| ([SX]\d{3}) \| (.+?) \| (.+) \|$/;

/**
 * @typedef {object} SpecPage
 * @property {string} name file name without its ending
 * @property {string} title text of the page's first heading
 * @property {string[]} ids in the order of the page
 *
 * @typedef {{ id: string, area: string, text: string }} FieldBug
 * @typedef {{ id: string, area: string, text: string, provedBy: string[] }} Feature
 *
 * @typedef {object} Spec
 * @property {SpecPage[]} pages the pages that give ids
 * @property {FieldBug[]} fieldBugs the rows of field-bugs.md
 * @property {Feature[]} features the rows of features.md
 * @property {string[]} problems what is wrong with the pages themselves
 */

/**
 * The ids in a piece of text, in order: `[run.stop.max-turns]` gives `run.stop.max-turns`.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function idsIn(text) {
  return [...text.matchAll(ID)].map((match) => match[1] ?? "");
}

/**
 * Reads every page of the spec.
 *
 * @param {ReadonlyMap<string, string>} sources page name (`runs`) to Markdown text
 * @returns {Spec}
 */
export function readSpec(sources) {
  /** @type {Spec} */
  const spec = { pages: [], fieldBugs: [], features: [], problems: [] };
  /** @type {Map<string, string>} */
  const owner = new Map();
  for (const [name, text] of [...sources].sort(([a], [b]) => compare(a, b))) {
    if (name === "field-bugs") spec.fieldBugs = readFieldBugs(text);
    else if (name === "features") spec.features = readFeatures(text);
    else if (idsIn(text).length > 0) {
      spec.pages.push({ name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, ids: idsIn(text) });
    }
  }
  for (const page of spec.pages) {
    for (const id of page.ids) {
      const first = owner.get(id);
      if (first !== undefined) spec.problems.push(`[${id}] is given twice: in ${first}.md and in ${page.name}.md`);
      else owner.set(id, page.name);
    }
  }
  for (const feature of spec.features) {
    for (const id of feature.provedBy) {
      if (!owner.has(id)) spec.problems.push(`features.md: ${feature.id} names \`${id}\`, which no page has`);
    }
  }
  for (const [kind, rows] of Object.entries({ "field-bugs": spec.fieldBugs, features: spec.features })) {
    const seen = new Set();
    for (const { id } of rows) {
      if (seen.has(id)) spec.problems.push(`${kind}.md: ${id} is given twice`);
      seen.add(id);
    }
  }
  return spec;
}

/**
 * @param {string} text
 * @returns {FieldBug[]}
 */
function readFieldBugs(text) {
  return text.split("\n").flatMap((line) => {
    const match = BUG_ROW.exec(line);
    return match ? [{ id: cell(match, 1), area: cell(match, 2), text: cell(match, 3) }] : [];
  });
}

/**
 * @param {string} text
 * @returns {Feature[]}
 */
function readFeatures(text) {
  /** @type {Feature[]} */
  const features = [];
  let area = "";
  for (const line of text.split("\n")) {
    if (line.startsWith("## ")) area = line.slice(3);
    const match = FEATURE_ROW.exec(line);
    if (!match) continue;
    const provedBy = [...cell(match, 3).matchAll(/`([^`]+)`/g)].map((id) => cell(id, 1));
    features.push({ id: cell(match, 1), area, text: cell(match, 2), provedBy });
  }
  return features;
}

/**
 * @param {RegExpExecArray | RegExpMatchArray} match
 * @param {number} index
 * @returns {string}
 */
const cell = (match, index) => match[index] ?? "";

/**
 * Orders by code unit, the same on every machine.
 *
 * @param {string} a
 * @param {string} b
 * @returns {number}
 */
export function compare(a, b) {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
