import { wordsOfName } from "./guess-words.ts";
import { isRecordKey } from "./lookup-keys.ts";
import { nameOf } from "./leaves.ts";
import type { Place } from "./value-places.ts";

/** Numbers with this many digits are in many places by chance. */
const shortNumber = 2;

/**
 * The place that an argument's value most likely comes from: a field of the argument's name before any other [questions.origin].
 * A short number is not copied from an id of another name.
 */
export function likelyPlace(places: readonly Place[], name: string): Place | undefined {
  const last = wordsOfName(name).at(-1);
  const isNamed = ({ leaf }: Place): boolean => wordsOfName(nameOf(leaf.location)).at(-1) === last;
  return places.find(isNamed) ?? places.find((place) => !isByChance(place));
}

function isByChance({ leaf: { location, value } }: Place): boolean {
  return typeof value === "number" && String(value).length <= shortNumber && isRecordKey(nameOf(location), value);
}
