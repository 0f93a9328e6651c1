import type { Integrity, Label, Principal, Readers, LabelId, LabelOrigin } from "@bailiwick/core";

/**
 * How far the rules trust a value. `assumed` is untrusted too, but only because the code that returned the value
 * declares nothing: it gates declared writers, and not undeclared ones.
 */
export type Trust = Integrity | "assumed";

/** [flow.label.integrity] How far a value is trusted, best first. */
export const integrities: readonly Integrity[] = ["system", "user", "verified", "untrusted"];

const ranks: Readonly<Record<Trust, number>> = { system: 0, user: 1, verified: 2, assumed: 3, untrusted: 4 };

/** The worse of two: `system < user < verified < assumed < untrusted`. */
export function joinIntegrity(a: Trust, b: Trust): Trust {
  return ranks[a] >= ranks[b] ? a : b;
}

/** The trust of a stored label. */
export function trustOf({ integrity, assumed }: Pick<Label, "integrity" | "assumed">): Trust {
  return integrity === "untrusted" && assumed === true ? "assumed" : integrity;
}

/** The integrity that a label shows: an assumed value shows as untrusted. */
export function integrityOf(trust: Trust): Integrity {
  return trust === "assumed" ? "untrusted" : trust;
}

/** The better of two. */
export function betterIntegrity<A extends Trust, B extends Trust>(a: A, b: B): A | B {
  return ranks[b] < ranks[a] ? b : a;
}

/** Id of an interned reader set; equal sets have equal ids. */
export type ReadersId = number;

/** Everyone may read. */
export const everyone: ReadersId = 0;

/** No one may read. */
export const nobody: ReadersId = 1;

/** [flow.label.readers] Reader sets of one run, each kept once: `public ⊐ sets of principals ⊐ none`, join = intersection. */
export interface ReaderSets {
  intern(readers: Readers): ReadersId;
  readersOf(id: ReadersId): Readers;
  join(a: ReadersId, b: ReadersId): ReadersId;
  /** True if everyone in `sink` may read what `readers` may read. */
  covers(readers: ReadersId, sink: ReadersId): boolean;
}

/** Makes an empty table of reader sets. */
export function createReaderSets(): ReaderSets {
  return new SetTable();
}

/** A class, because there is one for every run. */
class SetTable implements ReaderSets {
  readonly #sets: Readers[] = ["public", []];
  #ids: Map<string, ReadersId> | undefined;
  #joins: Map<string, ReadersId> | undefined;

  intern(readers: Readers): ReadersId {
    if (readers === "public") return everyone;
    if (readers.length === 0) return nobody;
    const sorted = [...new Set(readers)].toSorted();
    const key = JSON.stringify(sorted);
    const ids = (this.#ids ??= new Map<string, ReadersId>());
    let id = ids.get(key);
    if (id === undefined) {
      id = this.#sets.length;
      this.#sets.push(Object.freeze(sorted));
      ids.set(key, id);
    }
    return id;
  }

  readersOf(id: ReadersId): Readers {
    return this.#sets[id] ?? [];
  }

  join(a: ReadersId, b: ReadersId): ReadersId {
    // Fast path: a set joined with itself is itself.
    if (a === b) return a;
    if (b === everyone) return a;
    if (a === everyone) return b;
    const joins = (this.#joins ??= new Map<string, ReadersId>());
    const key = `${a},${b}`;
    let joined = joins.get(key);
    if (joined === undefined) {
      const others = this.#principalsOf(b);
      joined = this.intern(this.#principalsOf(a).filter((principal) => others.includes(principal)));
      // Cached because the same sets are joined many times.
      joins.set(key, joined);
    }
    return joined;
  }

  covers(readers: ReadersId, sink: ReadersId): boolean {
    if (readers === everyone) return true;
    if (sink === everyone) return false;
    const allowed = this.#principalsOf(readers);
    return this.#principalsOf(sink).every((principal) => allowed.includes(principal));
  }

  /** Names the readers of a set that is not everyone. */
  #principalsOf(id: ReadersId): readonly Principal[] {
    return this.readersOf(id) as readonly Principal[];
  }
}

/** The part of a label that decisions read [flow.label]. */
export interface Level {
  readonly integrity: Trust;
  /** Effect on the control label: better than `integrity` for leaves that a schema bounds. */
  readonly control: Trust;
  readonly readers: ReadersId;
}

/** The developer's text. */
export const systemLevel: Level = { integrity: "system", control: "system", readers: everyone };

/** The user's text. */
export const userLevel: Level = { integrity: "user", control: "user", readers: everyone };

/** Label of a checked value. */
export const verifiedLevel: Level = { integrity: "verified", control: "verified", readers: everyone };

/** Label of unknown values. */
export const untrustedLevel: Level = { integrity: "untrusted", control: "untrusted", readers: everyone };

/** The join of two levels: the lower trust of both, and the readers that both have in common. */
export function joinLevels(a: Level, b: Level, sets: ReaderSets): Level {
  return {
    integrity: joinIntegrity(a.integrity, b.integrity),
    control: joinIntegrity(a.control, b.control),
    readers: sets.join(a.readers, b.readers),
  };
}

/** True if two levels are equal. */
export function sameLevel(a: Level, b: Level): boolean {
  return a.integrity === b.integrity && a.control === b.control && a.readers === b.readers;
}

/** The labels of one run: a graph whose nodes are written once and referred to by id. */
export interface LabelGraph {
  readonly sets: ReaderSets;
  /** Adds a node that the journal already contains. */
  load(label: Label): void;
  levelOf(id: LabelId): Level;
  labelOf(id: LabelId): Label | undefined;
  /** Makes a node. A join that equals its only parent is that parent. */
  add(level: Level, origin: LabelOrigin, parents: readonly LabelId[], bits?: number): LabelId;
  /** The nodes that no record holds yet; the caller writes them with the next one. */
  take(): readonly Label[];
}

/** Labels that every run has; no record needs to contain them. */
const known: Readonly<Record<string, Level>> = {
  system: systemLevel,
  user: userLevel,
  verified: verifiedLevel,
  untrusted: untrustedLevel,
};

/** Makes an empty graph. */
export function createLabelGraph(): LabelGraph {
  return new Graph();
}

/** A class, because there is one for every run. */
class Graph implements LabelGraph {
  readonly sets: ReaderSets = createReaderSets();
  readonly #labels: Map<LabelId, { readonly label: Label; readonly level: Level }> = new Map();
  #unwritten: readonly Label[] = none;
  #count = 0;

  levelOf(id: LabelId): Level {
    const found = this.#labels.get(id);
    if (found !== undefined) return found.level;
    // An unknown label counts as the worst.
    return (Object.hasOwn(known, id) ? known[id] : undefined) ?? untrustedLevel;
  }

  labelOf(id: LabelId): Label | undefined {
    return this.#labels.get(id)?.label;
  }

  load(label: Label): void {
    if (this.#labels.has(label.id)) return;
    const integrity = trustOf(label);
    const control = betterIntegrity(label.control ?? integrity, integrity);
    const level = { integrity, control, readers: this.sets.intern(label.readers) };
    this.#labels.set(label.id, { label, level });
    const number = /^l(\d+)$/u.exec(label.id)?.[1];
    if (number !== undefined) this.#count = Math.max(this.#count, Number(number));
  }

  add(level: Level, origin: LabelOrigin, parents: readonly LabelId[], bits?: number): LabelId {
    let distinct = parents;
    if (parents.length > 1) distinct = [...new Set(parents)];
    const [only, ...others] = distinct;
    const isPlain = origin.kind === "join" && only !== undefined && others.length === 0;
    if (isPlain && sameLevel(this.levelOf(only), level)) return only;
    this.#count += 1;
    const label: Label = {
      id: `l${this.#count}`,
      integrity: integrityOf(level.integrity),
      ...(level.integrity === "assumed" && { assumed: true }),
      control: level.control === level.integrity ? undefined : integrityOf(level.control),
      bits,
      readers: this.sets.readersOf(level.readers),
      parents: distinct,
      origin,
    };
    this.#labels.set(label.id, { label, level });
    this.#unwritten = [...this.#unwritten, label];
    return label.id;
  }

  take(): readonly Label[] {
    const taken = this.#unwritten;
    this.#unwritten = none;
    return taken;
  }
}

const none: readonly Label[] = [];
