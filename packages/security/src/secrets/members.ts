/** Objects whose entries are internal, such as maps. */
export type EntriesHolder = Map<unknown, unknown> | Set<unknown> | Headers | URLSearchParams;

/** True if an object has internal entries. */
export function holdsEntries(value: object): value is EntriesHolder & Iterable<unknown> {
  return value instanceof Map || value instanceof Set || value instanceof Headers || value instanceof URLSearchParams;
}

/** The same kind of object with other entries. */
export function withEntries(value: EntriesHolder, entries: readonly unknown[]): EntriesHolder {
  if (value instanceof Set) return new Set(entries);
  const pairs = entries as [string, string][];
  if (value instanceof Map) return new Map(pairs);
  return value instanceof Headers ? new Headers(pairs) : new URLSearchParams(pairs);
}

/** The bytes that a view shows. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Names of members, including symbols: inspection prints the content of requests and answers under them. */
export function enumerableKeys(value: object): readonly (string | symbol)[] {
  const symbols = Object.getOwnPropertySymbols(value);
  // Fast path: nearly no object has one.
  if (symbols.length === 0) return Object.keys(value);
  return [...Object.keys(value), ...symbols.filter((key) => Object.prototype.propertyIsEnumerable.call(value, key))];
}

/** A member that cannot be read has nothing to hide. */
export function readMember(value: object, key: PropertyKey): unknown {
  try {
    return (value as Record<PropertyKey, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** Sets a member of an object, for any name. */
export function setMember(value: object, key: PropertyKey, member: unknown): void {
  Object.defineProperty(value, key, { value: member, configurable: true, enumerable: true, writable: true });
}

/** A plain object with the members of another. */
export function copyMembers(value: object): Record<PropertyKey, unknown> {
  const copy = {};
  for (const key of enumerableKeys(value)) setMember(copy, key, readMember(value, key));
  return copy;
}
