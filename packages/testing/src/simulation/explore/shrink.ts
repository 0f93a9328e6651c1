import { faultKinds, faultOf, faultParts, type Fault } from "../world/fault.ts";
import type { History } from "../world/history.ts";

/** Plays of one shrink at most. */
const mostPlays = 400;

/** Tells if a shorter history breaks the same promise; returns the faults that it really had. */
export type StillBroken = (history: History) => Promise<boolean>;

/**
 * Finds a short history that breaks the same promise: the usual order, fewer faults, shorter durations.
 *
 * @param history - The broken history.
 * @param isBroken - Plays a history.
 */
export async function shrink(history: History, isBroken: StillBroken): Promise<History> {
  let plays = 0;
  const tryOne = async (candidate: History): Promise<boolean> => {
    plays += 1;
    return plays <= mostPlays && (await isBroken(candidate));
  };
  let best = history;
  const accept = async (candidate: History): Promise<boolean> => {
    if (!(await tryOne(candidate))) return false;
    best = candidate;
    return true;
  };

  await accept({ faults: history.faults });
  best = await withoutFaults(best, tryOne);
  // Removing one fault at a time can stop early: also try each pair, and other orders.
  if (size(best) > 2) {
    const entries = Object.entries(best.faults);
    for (let first = 0; first < entries.length && size(best) > 2; first += 1)
      for (let second = first + 1; second < entries.length && size(best) > 2; second += 1)
        for (const order of orders(best)) {
          const pair = [entries[first], entries[second]].filter((one) => one !== undefined);
          await accept(made(Object.fromEntries(pair), order));
        }
  }
  if (size(best) === 2)
    for (const [name, fault] of Object.entries(best.faults))
      for (const order of orders(best)) if (size(best) === 2) await accept(made({ [name]: fault }, order));
  if (best.order !== undefined) await accept({ faults: best.faults });
  if (size(best) > 1) await neighbours(best, accept, () => best);
  for (const [name, fault] of Object.entries(best.faults)) {
    const { kind, ms } = faultParts(fault);
    for (const shorter of [ms / 8, ms / 4, ms / 2, (ms * 3) / 4].map((one) => round(one))) {
      if (ms <= 0 || shorter >= ms || shorter <= 0) continue;
      if (await accept({ ...best, faults: { ...best.faults, [name]: faultOf(kind, shorter) } })) break;
    }
  }
  return best;
}

/** Removes faults, halves first. */
async function withoutFaults(history: History, isBroken: StillBroken): Promise<History> {
  let entries = Object.entries(history.faults);
  let parts = 2;
  while (entries.length >= 1) {
    const length = Math.max(1, Math.ceil(entries.length / parts));
    let smaller: typeof entries | undefined;
    for (let at = 0; at < entries.length && smaller === undefined; at += length) {
      const rest = [...entries.slice(0, at), ...entries.slice(at + length)];
      if (await isBroken({ ...history, faults: Object.fromEntries(rest) })) smaller = rest;
    }
    if (smaller !== undefined) {
      entries = smaller;
      parts = Math.max(2, parts - 1);
    } else if (length === 1) break;
    else parts = Math.min(entries.length, parts * 2);
  }
  return { ...history, faults: Object.fromEntries(entries) };
}

/** Tries each single fault at the neighbouring occurrences of its point, and with other kinds. */
async function neighbours(
  history: History,
  accept: (candidate: History) => Promise<boolean>,
  best: () => History,
): Promise<void> {
  for (const [name, fault] of Object.entries(history.faults)) {
    const at = name.lastIndexOf("#");
    const number = Number(name.slice(at + 1));
    for (const near of [number - 1, number, number + 1]) {
      if (near < 1 || size(best()) < 2) continue;
      for (const kind of faultKinds.slice(0, 4)) {
        const { ms } = faultParts(fault);
        if (size(best()) < 2) return;
        if (ms > 0) await accept({ faults: { [`${name.slice(0, at)}#${near}`]: faultOf(kind, ms) } });
      }
    }
  }
}

function size({ faults }: History): number {
  return Object.keys(faults).length;
}

function orders({ order }: History): readonly (number | undefined)[] {
  return order === undefined ? [undefined, 1, 2] : [undefined, order];
}

function made(faults: Readonly<Record<string, Fault>>, order: number | undefined): History {
  return order === undefined ? { faults } : { order, faults };
}

/** Rounds a duration to two digits. */
function round(ms: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, ms))) - 1);
  return Math.round(ms / unit) * unit;
}
