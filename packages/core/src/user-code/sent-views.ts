import { frozenCopy, frozenView } from "./copies.ts";

/** Copies that models get, by value. */
const sent = new WeakMap<object, object>();

/**
 * The frozen copy of a value that a model gets with each request. It is always the same object, including its bytes,
 * because providers cache their form of a message by the message.
 */
export function sentView<T extends object>(value: T): T {
  const made = sent.get(value);
  if (made !== undefined) return made as T;
  const view = frozenView(value);
  sent.set(value, view);
  return view;
}

/** The same for a list whose items are also in other lists; made once per list. */
export function sentViews<T extends object>(values: readonly T[]): readonly T[] {
  const made = sent.get(values);
  if (made !== undefined) return made as readonly T[];
  const views = Object.freeze(values.map(sentView));
  sent.set(values, views);
  return views;
}

/**
 * Returns a function that gives a model the views of a list that grows from request to request. An item that is at the
 * same place as before keeps its view, without a look-up.
 */
export function growingViews<T extends object>(): (values: readonly T[]) => readonly T[] {
  const known: T[] = [];
  const views: T[] = [];
  return (values) => {
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index] as T;
      if (known[index] === value) continue;
      // A list that changed in the middle may do so each time: its items are then looked up.
      views[index] = (index < known.length ? sentView : frozenCopy)(value);
      known[index] = value;
    }
    // The model may change the list that it gets.
    return views.slice(0, values.length);
  };
}
