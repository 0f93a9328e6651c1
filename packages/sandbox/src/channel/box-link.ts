/** The end of a sandbox. */
export interface BoxEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of its error stream. */
  readonly lastWords: string;
}

/** A started sandbox that waits for one call, as its tier gives it. */
export interface BoxLink {
  /** Sends a line to the runner inside. */
  send(line: string): void;
  /** Gives the bytes of the channel of frames, from the first on; one listener. */
  onFrames(listener: (bytes: Uint8Array) => void): void;
  /** Gives the number of bytes that were printed, each time; one listener. */
  onPrinted(listener: (count: number) => void): void;
  /** Settles when it has ended, with all that was started in it. Never rejects. */
  readonly ended: Promise<BoxEnd>;
  /** Ends the sandbox; `ended` resolves when it has ended. */
  kill(): void;
}
