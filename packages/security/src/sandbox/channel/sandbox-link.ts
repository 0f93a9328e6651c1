/** The end of a sandbox. */
export interface SandboxEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of its error stream. */
  readonly lastWords: string;
}

/** A started sandbox that waits for one call. */
export interface SandboxLink {
  /** Sends a line to the runner inside. */
  send(line: string): void;
  /** Passes the bytes of the channel of frames to one listener, from the first byte on. */
  onFrames(listener: (bytes: Uint8Array) => void): void;
  /** Passes the number of printed bytes to one listener, each time. */
  onPrinted(listener: (count: number) => void): void;
  /** Settles when the sandbox has ended, with everything that was started in it. Never rejects. */
  readonly ended: Promise<SandboxEnd>;
  /** Ends the sandbox; `ended` resolves when it has ended. */
  kill(): void;
}
