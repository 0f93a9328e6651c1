// Makes the rows of the tables of models from their sources, and lists where sources disagree.
import * as facts from "./model-facts.mjs";

/** @typedef {Readonly<Record<string, any>>} Row one entry of a source or a table */

/**
 * @param {ReturnType<typeof import("./model-sources.mjs").readPackages>} packages
 * @param {ReadonlyMap<string, string>} aliases - Answering id by asked one.
 * @param {string} checked - Day of the packages.
 * @returns {{ rows: Readonly<Record<string, Row>>, disagreements: readonly string[] }}
 */
export function modelRows(packages, aliases, checked) {
  /** @type {string[]} */
  const disagreements = [];
  /** @type {Record<string, Row>} */
  const rows = {};
  for (const [vendor, list] of Object.entries(packages.vendors)) {
    for (const [id, row] of list) {
      if (facts.left.test(id)) continue;
      rows[`${vendor}/${id}`] = modelRow(vendor, id, row, packages, checked, disagreements);
    }
  }
  for (const [id, row] of Object.entries(facts.retired)) {
    if (id in rows) disagreements.push(`${id}: kept as retired, and ${packages.version} lists it`);
    else rows[id] = { ...row, origin: "price page", price: withFacts(id, row.price) };
  }
  for (const [asked, answered] of aliases) {
    const target = [answered, undated(answered)].find((id) => id in rows);
    if (target !== undefined && !(asked in rows) && undated(asked) !== target)
      rows[asked] = { ...rows[target], aliasOf: target };
  }
  for (const { vendor, source, ids } of packages.ids) {
    const unknown = [...ids].filter(
      (id) => !facts.left.test(id) && !(`${vendor}/${id}` in rows) && !(`${vendor}/${undated(id)}` in rows),
    );
    if (unknown.length > 0) disagreements.push(`only in ${source}: ${unknown.join(", ")}`);
  }
  for (const [vendor] of Object.entries(packages.vendors)) {
    const listed = packages.ids.filter((list) => list.vendor === vendor);
    const alone = Object.keys(rows).filter(
      (id) => id.startsWith(`${vendor}/`) && !listed.some(({ ids }) => ids.has(id.slice(vendor.length + 1))),
    );
    if (alone.length > 0) disagreements.push(`in no list of ids of ${vendor}: ${alone.join(", ")}`);
  }
  return { rows, disagreements };
}

/** @param {string} id */
function undated(id) {
  return id.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");
}

/**
 * @param {string} vendor
 * @param {string} id
 * @param {Row} row
 * @param {ReturnType<typeof import("./model-sources.mjs").readPackages>} packages
 * @param {string} checked
 * @param {string[]} disagreements
 * @returns {Row}
 */
function modelRow(vendor, id, row, packages, checked, disagreements) {
  const name = `${vendor}/${id}`;
  const others = Object.entries(packages.gateways).flatMap(([gateway, list]) => {
    const found = list.get(gateway === "azure" ? id : name) ?? list.get(dotted(name));
    return found === undefined || (gateway === "azure" && vendor !== "openai") ? [] : [{ gateway, row: found }];
  });
  for (const other of others) {
    for (const kind of ["input", "output", "cacheRead"]) {
      if (other.row.cost[kind] !== row.cost[kind])
        disagreements.push(`${name}: ${kind} costs ${row.cost[kind]}, ${other.gateway} has ${other.row.cost[kind]}`);
    }
  }
  const contextWindow = agreedWindow(name, row, others, disagreements);
  const efforts = facts.efforts[name] ?? effortsOf(vendor, row);
  return {
    contextWindow,
    maxOutputTokens: row.maxTokens,
    input: row.input.includes("image") ? facts.inputKinds[/** @type {"openai"} */ (vendor)] : [],
    efforts,
    ...(facts.noEffortWithTools.test(name) ? { chatToolEfforts: efforts.includes("none") ? ["none"] : [] } : {}),
    price: withFacts(name, priceOf(vendor, row, tiersOf(name, row, packages, disagreements))),
    source: facts.pricePages[/** @type {"openai"} */ (vendor)],
    origin: `pi-ai ${packages.version}`,
    checked,
  };
}

/** Gateways write versions of Claude with a dot. @param {string} name */
function dotted(name) {
  return name.replace(/-(\d+)-(\d+)$/, "-$1.$2");
}

/**
 * The window. Where longer input costs more, the catalogue ends the window at the step; there, most gateways count.
 *
 * @param {string} name
 * @param {Row} row
 * @param {readonly { gateway: string, row: Row }[]} others
 * @param {string[]} disagreements
 * @returns {number}
 */
function agreedWindow(name, row, others, disagreements) {
  const endsAtStep = (row.cost.tiers ?? []).some(
    (/** @type {Row} */ step) => step.inputTokensAbove === row.contextWindow,
  );
  const windows = others.map((other) => other.row.contextWindow);
  const votes = new Map(windows.map((size) => [size, windows.filter((one) => one === size).length]));
  const [[most = row.contextWindow] = []] = [...votes].sort((one, two) => two[1] - one[1] || two[0] - one[0]);
  const chosen = endsAtStep ? most : row.contextWindow;
  const different = [...votes.keys()].filter((size) => size !== chosen);
  if (different.length > 0) disagreements.push(`${name}: window ${chosen}, and ${different.join(", ")} at gateways`);
  return chosen;
}

/**
 * @param {string} vendor
 * @param {Row} row
 * @returns {readonly string[]}
 */
function effortsOf(vendor, row) {
  /** @type {Row} */
  const map = row.thinkingLevelMap ?? {};
  const levels = ["minimal", "low", "medium", "high", "xhigh", "max"];
  if (vendor === "anthropic") {
    if (row.compat?.forceAdaptiveThinking !== true) return [];
    return ["low", "medium", "high", ...["xhigh", "max"].filter((level) => typeof map[level] === "string")];
  }
  if (!row.reasoning || row.thinkingLevelMap === undefined) return [];
  return [...(map.off === "none" ? ["none"] : []), ...levels.filter((level) => typeof map[level] === "string")];
}

/**
 * @param {string} name
 * @param {Row} row
 * @param {ReturnType<typeof import("./model-sources.mjs").readPackages>} packages
 * @param {string[]} disagreements
 * @returns {Row} `{ short, long }` factors by tier
 */
function tiersOf(name, row, packages, disagreements) {
  /** @type {Record<string, number>} */
  const short = {};
  /** @type {Record<string, number>} */
  const long = {};
  /** @type {readonly (readonly [string, string, string])[]} */
  const variants = [
    ["vercel-ai-gateway", "-fast", name.startsWith("openai/") ? "priority" : "fast"],
    ["vercel-ai-gateway", "-batch", "batch"],
    ["openrouter", ":batch", "batch"],
  ];
  for (const [gateway, suffix, tier] of variants) {
    const list = packages.gateways[gateway];
    const found = list?.get(`${name}${suffix}`) ?? list?.get(`${dotted(name)}${suffix}`);
    if (found === undefined) continue;
    const factors = ["input", "output"].map((kind) => Number((found.cost[kind] / row.cost[kind]).toFixed(4)));
    const [factor = 1] = factors;
    if (factors[1] !== factor || (tier in short && short[tier] !== factor)) {
      disagreements.push(`${name}: tier "${tier}" costs ${factors.join(" and ")} times, and ${short[tier] ?? factor}`);
      continue;
    }
    short[tier] = factor;
    const [step] = row.cost.tiers ?? [];
    const [theirs] = found.cost.tiers ?? [];
    if (step !== undefined && theirs !== undefined && theirs.output === step.output * factor) long[tier] = factor;
  }
  for (const { models, tier, factor } of facts.tierFactors) {
    if (models.test(name)) [short[tier], long[tier]] = [factor, factor];
  }
  return { short, long };
}

/**
 * @param {string} vendor
 * @param {Row} row
 * @param {Row} tiers
 * @returns {Row}
 */
function priceOf(vendor, { cost }, { short, long }) {
  /** @param {Row} rates */
  const tokens = (rates) => ({
    input: rates.input,
    ...(rates.cacheRead > 0 ? { cachedInput: rates.cacheRead } : {}),
    ...(rates.cacheWrite > 0 ? { cacheWrite: rates.cacheWrite } : {}),
    ...(vendor === "anthropic" ? { longCacheWrite: round(rates.input * facts.longCacheFactor) } : {}),
    output: rates.output,
  });
  const sameTiers = JSON.stringify(short) === JSON.stringify(long);
  const steps = (cost.tiers ?? []).map((/** @type {Row} */ step) => ({
    above: step.inputTokensAbove,
    ...tokens(step),
    ...(sameTiers ? {} : { tiers: long }),
  }));
  return {
    ...tokens(cost),
    ...(steps.length > 0 ? { longContext: steps } : {}),
    ...(Object.keys(short).length > 0 ? { tiers: short } : {}),
  };
}

/**
 * @param {string} name
 * @param {Row} price
 * @returns {Row}
 */
function withFacts(name, price) {
  const calls = facts.hostedCalls.find(({ models }) => models.test(name))?.calls;
  const audio = facts.audioPrices.find(({ models }) => models.test(name))?.audioInput;
  /** @param {Row} tokens */
  const spoken = (tokens) => (audio === undefined ? {} : { audioInput: audio === "input" ? tokens.input : audio });
  return {
    ...price,
    ...spoken(price),
    ...(price.longContext === undefined
      ? {}
      : { longContext: price.longContext.map((/** @type {Row} */ step) => ({ ...step, ...spoken(step) })) }),
    ...(calls === undefined ? {} : { hostedCalls: calls }),
  };
}

/** @param {number} value */
function round(value) {
  return Number(value.toPrecision(10));
}
