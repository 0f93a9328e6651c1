import { frozenCopy, frozenView } from "./copies.ts";

/** Copies that models get, by the value. */
const sent = new WeakMap<object, object>();

/**
 * The frozen copy of a value that a model gets with each request. It is always the same one, bytes included: providers
 * keep their form of a message by the message.
 */
export function sentView<T extends object>(value: T): T {
  const made = sent.get(value);
  if (made !== undefined) return made as T;
  const view = frozenView(value);
  sent.set(value, view);
  return view;
}

/** The same for a list whose items are sent in other lists too; made once per list. */
export function sentViews<T extends object>(values: readonly T[]): readonly T[] {
  const made = sent.get(values);
  if (made !== undefined) return made as readonly T[];
  const views = Object.freeze(values.map(sentView));
  sent.set(values, views);
  return views;
}

/**
 * Gives a model the views of a list that grows. The views of the items that are as before are taken over by their place,
 * without a look-up for each, so that they are the same ones.
 */
export function growingViews<T extends object>(): (values: readonly T[]) => readonly T[] {
  const known: T[] = [];
  const views: T[] = [];
  return (values) => {
    let same = 0;
    while (same < known.length && known[same] === values[same]) same += 1;
    // Where a list changes in the middle, it may do so each time: its items are then looked up.
    const viewOf = same === known.length ? frozenCopy : sentView;
    known.length = same;
    views.length = same;
    for (const value of values.slice(same)) {
      known.push(value);
      views.push(viewOf(value));
    }
    // The model's own list: it may change it.
    return views.slice();
  };
}
