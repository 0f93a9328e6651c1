import type { Label, LabelId, LabelOrigin } from "@bailiwick/core";

import {
  betterIntegrity,
  createReaderSets,
  integrityOf,
  sameLevel,
  systemLevel,
  trustOf,
  untrustedLevel,
  userLevel,
  verifiedLevel,
} from "./lattice.ts";
import type { Level, ReaderSets } from "./lattice.ts";

/** The labels of one run: a graph whose nodes are written once and referred to by id. */
export interface LabelGraph {
  readonly sets: ReaderSets;
  /** Takes over a node that the journal holds. */
  load(label: Label): void;
  levelOf(id: LabelId): Level;
  labelOf(id: LabelId): Label | undefined;
  /** Makes a node. A join that says no more than its only parent is that parent. */
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
      ...(level.control !== level.integrity && { control: integrityOf(level.control) }),
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
