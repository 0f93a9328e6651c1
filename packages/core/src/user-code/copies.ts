/** Maximum nesting depth of a copy: deeper values are circular. */
const maxDepth = 500;

/** State of copying one value. */
interface Copying {
  readonly freeze: boolean;
  /** Set if a copied value cannot be frozen: bytes, dates, maps and sets. */
  unfreezable: boolean;
  /** The copies made until now, by value, if the parts of the value may refer to each other. */
  readonly made?: Map<object, object>;
}

const forChange: Copying = { freeze: false, unfreezable: false };

/** Frozen copies of values that the run never changes, by value. */
const known = new WeakMap<object, object>();

/**
 * Copies a value for code that may change it. Plain objects, arrays, dates, maps, sets and bytes are copied; functions
 * and instances of other classes, such as a database pool, are live objects and stay the same.
 *
 * @param value - The value.
 * @throws TypeError if the value is circular.
 */
export function ownCopy<T>(value: T): T {
  return copy(value, forChange, 0) as T;
}

/**
 * Copies a value of the application's own design, such as `dependencies`, by the rule of `ownCopy`. Parts that refer to
 * each other do so in the copy too, also in a circle.
 *
 * @throws TypeError if the value nests too deep.
 */
export function ownGraph<T>(value: T): T {
  return copy(value, { freeze: false, unfreezable: false, made: new Map() }, 0) as T;
}

/**
 * Copies an answer of user code, and reads each of its members once: getters are user code too, and could answer
 * differently after the check. Members of its class count as its own.
 */
export function ownAnswer<T>(answer: T): T {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return ownCopy(answer);
  const members = { ...answer } as Record<string, unknown>;
  for (let from: unknown = Object.getPrototypeOf(answer); from; from = Object.getPrototypeOf(from))
    for (const name of Object.getOwnPropertyNames(from))
      if (!(name in members)) members[name] = (answer as Record<string, unknown>)[name];
  return ownCopy(members) as T;
}

/**
 * Copies a value that a caller passes in, because the caller may change it later. A value that cannot be copied stays
 * the same; a later check refuses it.
 */
export function copyOfGiven<T>(value: T): T {
  try {
    return ownCopy(value);
  } catch {
    return value;
  }
}

/**
 * Copies and freezes a value for code that observes. The given value itself is never frozen.
 *
 * @throws TypeError when the value is circular.
 */
export function frozenCopy<T>(value: T): T {
  return copy(value, { freeze: true, unfreezable: false }, 0) as T;
}

/**
 * The frozen copy of a value that the run itself never changes, such as a message of its conversation. Made once per
 * value, except for values with bytes, dates or maps: these cannot be frozen, so each observer gets its own copy.
 */
export function frozenView<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  const made = known.get(value);
  if (made !== undefined) return made as T;
  const copying: Copying = { freeze: true, unfreezable: false };
  const view = copy(value, copying, 0) as T & object;
  if (!copying.unfreezable) {
    known.set(value, view);
    known.set(view, view);
  }
  return view;
}

/** A frozen copy that is kept: its own view costs nothing later. */
export function frozenRecord<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  const copying: Copying = { freeze: true, unfreezable: false };
  const kept = copy(value, copying, 0) as T & object;
  if (!copying.unfreezable) known.set(kept, kept);
  return kept;
}

/** The frozen views of a list, as a frozen list. */
export function frozenViews<T>(values: readonly T[]): readonly T[] {
  return Object.freeze(values.map(frozenView));
}

function copy(value: unknown, copying: Copying, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  const earlier = copying.made?.get(value);
  if (earlier !== undefined) return earlier;
  if (depth > maxDepth) throw new TypeError(`A value nests more than ${maxDepth} levels deep, or contains itself.`);
  if (Array.isArray(value)) {
    // oxlint-disable-next-line unicorn/no-new-array -- a list that grows keeps space for 16 more items
    const items = new Array<unknown>(value.length);
    copying.made?.set(value, items);
    for (let index = 0; index < value.length; index += 1) items[index] = copy(value[index], copying, depth + 1);
    return copying.freeze ? Object.freeze(items) : items;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return copyOfKind(value, copying, depth);
  // A spread copies faster than a loop over members, and keeps an own "__proto__" that JSON.parse made.
  const members = prototype === null ? Object.assign(Object.create(null), value) : { ...value };
  copying.made?.set(value, members);
  for (const key in members) {
    const member = (members as Record<string, unknown>)[key];
    if (typeof member === "object" && member !== null) define(members, key, copy(member, copying, depth + 1));
  }
  return copying.freeze ? Object.freeze(members) : members;
}

/** Sets an own member, also one that is named `__proto__`. */
export function define(members: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(members, key, { value, enumerable: true, writable: true, configurable: true });
  else members[key] = value;
}

/** Copies objects that can contain data without being plain; all others are live. */
function copyOfKind(value: object, copying: Copying, depth: number): unknown {
  const made = kindOf(value, copying, depth);
  if (made === undefined) return value;
  if (copying.freeze) copying.unfreezable = true;
  return made;
}

/** An instance of a class that extends one of these kinds, such as a cache that is a `Map`, is live. */
function kindOf(value: object, copying: Copying, depth: number): object | undefined {
  if (value instanceof Uint8Array) return noted(value, Uint8Array.prototype.slice.call(value), copying);
  switch (Object.getPrototypeOf(value)) {
    case Date.prototype:
      return noted(value, new Date(value as Date), copying);
    case Map.prototype: {
      const items = noted(value, new Map<unknown, unknown>(), copying);
      for (const [key, item] of value as Map<unknown, unknown>) items.set(key, copy(item, copying, depth + 1));
      return items;
    }
    case Set.prototype: {
      const items = noted(value, new Set<unknown>(), copying);
      for (const item of value as Set<unknown>) items.add(copy(item, copying, depth + 1));
      return items;
    }
    case ArrayBuffer.prototype:
      return noted(value, (value as ArrayBuffer).slice(0), copying);
    default:
      return ArrayBuffer.isView(value) ? noted(value, copyOfView(value), copying) : undefined;
  }
}

function noted<Made extends object>(value: object, made: Made, { made: all }: Copying): Made {
  all?.set(value, made);
  return made;
}

function copyOfView(view: ArrayBufferView): object {
  const bytes = view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
  const Kind = view.constructor as new (buffer: ArrayBufferLike) => object;
  return new Kind(bytes);
}
