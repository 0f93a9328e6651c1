// Lines that compare figures with those of an earlier commit.

/** @typedef {Readonly<Record<string, number>>} Figures by name; the unit is in the name */

/** Part by which a figure may rise without a line that asks for the reason. */
const allowance = 0.1;

/**
 * A line for each figure, with its change.
 *
 * @param {Figures} now
 * @param {Figures} before
 */
export function showTrend(now, before) {
  return Object.entries(now).map(([name, figure]) => {
    const earlier = before[name];
    if (earlier === undefined) return `${name}: ${figure}`;
    return `${name}: ${figure}, was ${earlier} (${signed(changeOf(figure, earlier))} %)`;
  });
}

/**
 * A line for each figure that rose by a tenth or more.
 *
 * @param {Figures} now
 * @param {Figures} before
 */
export function risen(now, before) {
  return Object.entries(now).flatMap(([name, figure]) => {
    const earlier = before[name];
    if (earlier === undefined || figure - earlier < earlier * allowance) return [];
    return [`ROSE  ${name} by ${signed(changeOf(figure, earlier))} %: give the reason in the text of the change.`];
  });
}

/** @type {(figure: number, earlier: number) => number} */
const changeOf = (figure, earlier) => (earlier === 0 ? 0 : ((figure - earlier) / earlier) * 100);

/** @type {(percent: number) => string} */
const signed = (percent) => `${percent < 0 ? "" : "+"}${percent.toFixed(1)}`;
