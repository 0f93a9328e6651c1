// Compares the table of models with a newer list in the form of LiteLLM's `model_prices_and_context_window.json`.

/** @typedef {Readonly<Record<string, any>>} Row one entry of a table or a list */

/**
 * Vendors of the table, by their names in the list.
 *
 * @type {Readonly<Record<string, string>>}
 */
const vendors = { openai: "openai", anthropic: "anthropic", gemini: "google" };
/**
 * Fields of the table, with their names in the list; prices there are dollars per token.
 *
 * @type {Readonly<Record<string, (row: Row) => number | undefined>>}
 */
const fields = {
  contextWindow: (row) => row.max_input_tokens,
  maxOutputTokens: (row) => row.max_output_tokens,
  "price.input": (row) => perMillion(row.input_cost_per_token),
  "price.output": (row) => perMillion(row.output_cost_per_token),
  "price.cachedInput": (row) => perMillion(row.cache_read_input_token_cost),
  "price.cacheWrite": (row) => perMillion(row.cache_creation_input_token_cost),
};

/**
 * @param {Readonly<Record<string, Row>>} table - `knownModels`.
 * @param {Readonly<Record<string, Row>>} list - The newer list.
 * @returns {{ differences: string[], absent: string[], unlisted: string[] }} fields that differ, models of the table that
 *   the list lacks, and chat models of the list that the table lacks
 */
export function compareModels(table, list) {
  /** @type {Map<string, Row>} */
  const rows = new Map();
  for (const [key, row] of Object.entries(list)) {
    const vendor = vendors[row?.litellm_provider];
    if (vendor === undefined || (row.mode !== "chat" && row.mode !== "responses")) continue;
    rows.set(`${vendor}/${key.replace(/^.*\//, "")}`, row);
  }
  /** @type {string[]} */
  const differences = [];
  /** @type {string[]} */
  const absent = [];
  for (const [id, model] of Object.entries(table)) {
    const row = rows.get(id);
    if (row === undefined) {
      absent.push(id);
      continue;
    }
    for (const [field, read] of Object.entries(fields)) {
      const theirs = read(row);
      const ours = field.split(".").reduce((/** @type {any} */ value, name) => value?.[name], model);
      if (theirs === undefined || same(ours, theirs, field)) continue;
      differences.push(`${id}: ${field} is ${ours}, the list has ${theirs}`);
    }
  }
  const undated = (/** @type {string} */ id) => !/-(\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{2}|\d{3})$/.test(id);
  return { differences, absent, unlisted: [...rows.keys()].filter((id) => !(id in table) && undated(id)) };
}

/**
 * @param {number | undefined} ours
 * @param {number} theirs
 * @param {string} field
 */
function same(ours, theirs, field) {
  if (ours === undefined) return !field.startsWith("price") || theirs === 0;
  return Math.abs(ours - theirs) <= Math.abs(theirs) * 1e-9;
}

/** @param {number | undefined} perToken */
function perMillion(perToken) {
  return perToken === undefined ? undefined : Number((perToken * 1_000_000).toPrecision(10));
}
