/** An entry of a queue. */
export interface Queued {
  /** Virtual time at which it is due, in milliseconds since the world began. */
  readonly due: number;
  /** Number of entries that were added before: it orders entries that are due at the same time. */
  readonly age: number;
}

/** A queue of events, ordered by due time, then by age. */
export class EventQueue<Entry extends Queued> {
  readonly #heap: Entry[] = [];

  get size(): number {
    return this.#heap.length;
  }

  push(entry: Entry): void {
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#isBefore(entry, above)) break;
      heap[at] = heap[above] as Entry;
      at = above;
    }
    heap[at] = entry;
  }

  pop(): Entry | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (last === undefined || last === first) return first;
    let at = 0;
    for (;;) {
      let below = at * 2 + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && this.#isBefore(heap[below + 1] as Entry, below)) below += 1;
      if (!this.#isBefore(heap[below] as Entry, last)) break;
      heap[at] = heap[below] as Entry;
      at = below;
    }
    heap[at] = last;
    return first;
  }

  #isBefore(entry: Entry, other: number | Entry): boolean {
    const against = typeof other === "number" ? (this.#heap[other] as Entry) : other;
    return entry.due < against.due || (entry.due === against.due && entry.age < against.age);
  }
}
