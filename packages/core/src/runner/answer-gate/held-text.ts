/** A piece of an answer's text. */
export interface TextPiece {
  readonly text: string;
  /** Whether it comments on the way to the answer. */
  readonly commentary: boolean;
}

/** Text that waits for a verdict, in its order; what is commentary stays so. */
export class HeldText {
  #pieces: TextPiece[] = [];

  get text(): string {
    return this.#pieces.map(({ text }) => text).join("");
  }

  get length(): number {
    return this.#pieces.reduce((length, { text }) => length + text.length, 0);
  }

  add(text: string, commentary: boolean): void {
    if (text === "") return;
    const last = this.#pieces.at(-1);
    if (last?.commentary === commentary) this.#pieces[this.#pieces.length - 1] = { text: last.text + text, commentary };
    else this.#pieces.push({ text, commentary });
  }

  /** Takes the beginning, of a number of characters. */
  take(count: number): readonly TextPiece[] {
    const taken: TextPiece[] = [];
    const left: TextPiece[] = [];
    let room = count;
    for (const { text, commentary } of this.#pieces) {
      if (room > 0) taken.push({ text: text.slice(0, room), commentary });
      if (room < text.length) left.push({ text: text.slice(Math.max(0, room)), commentary });
      room -= text.length;
    }
    this.#pieces = left;
    return taken;
  }

  /** Takes all of it. */
  takeAll(): readonly TextPiece[] {
    const taken = this.#pieces;
    this.#pieces = [];
    return taken;
  }
}
