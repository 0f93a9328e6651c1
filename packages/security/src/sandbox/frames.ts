/**
 * Messages of a sandbox to the host, one JSON text per line. Every frame contains the call's nonce, which only the
 * runner inside gets, before it loads the module: a line without it was printed by the code, not sent by the runner.
 */
export type SandboxFrame =
  | { readonly kind: "result"; readonly value: unknown }
  | { readonly kind: "error"; readonly error: { readonly name?: string; readonly message: string } }
  | { readonly kind: "call"; readonly id: number; readonly name: string; readonly args: readonly unknown[] };

/** Frames from the host to a sandbox. The first one starts the call and carries the nonce. */
export type HostFrame =
  | {
      readonly kind: "start";
      readonly nonce: string;
      readonly module: string;
      readonly export: string;
      readonly input: unknown;
      readonly context: unknown;
    }
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | { readonly kind: "refusal"; readonly id: number; readonly message: string };

/** 128 random bits, in hex. */
export function frameNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A frame as a line. JSON has no line breaks itself. */
export function encodeFrame(nonce: string, frame: SandboxFrame): string {
  return `${JSON.stringify({ nonce, frame })}\n`;
}

/** The host's side of a frame, as a line. */
export function encodeHostFrame(frame: HostFrame): string {
  return `${JSON.stringify(frame)}\n`;
}

/** Callbacks of a frame reader. */
export interface FrameReaderOptions {
  readonly nonce: string;
  /** Total number of bytes, frames and noise together. */
  readonly maxBytes: number;
  readonly onFrame: (frame: SandboxFrame) => void;
  /** More than `maxBytes` arrived; called once, and reading stops. */
  readonly onFlood: () => void;
}

/** Receives bytes from a sandbox. */
export interface FrameReader {
  push(bytes: Uint8Array): void;
  /** Lines that are not frames of this call. */
  readonly forged: number;
}

/**
 * Reads frames. The first result or error settles the call: later frames are ignored.
 *
 * @param options - Nonce, bound and listeners.
 */
export function frameReader(options: FrameReaderOptions): FrameReader {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  let bytesRead = 0;
  let forged = 0;
  let ended = false;
  const take = (line: string): void => {
    if (ended || line === "") return;
    const frame = frameOf(line, options.nonce);
    if (frame === undefined) {
      forged += 1;
      return;
    }
    ended = frame.kind !== "call";
    options.onFrame(frame);
  };
  return {
    push(bytes) {
      if (ended) return;
      bytesRead += bytes.length;
      if (bytesRead > options.maxBytes) {
        ended = true;
        rest = [];
        options.onFlood();
        return;
      }
      const pieces = decoder.decode(bytes, { stream: true }).split("\n");
      for (const [index, piece] of pieces.entries()) {
        rest.push(piece);
        if (index === pieces.length - 1) break;
        take(rest.join(""));
        rest = [];
      }
    },
    get forged() {
      return forged;
    },
  };
}

function frameOf(line: string, nonce: string): SandboxFrame | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null) return undefined;
  const { nonce: given, frame } = parsed as { readonly nonce?: unknown; readonly frame?: unknown };
  return given === nonce && isFrame(frame) ? frame : undefined;
}

function isFrame(value: unknown): value is SandboxFrame {
  if (typeof value !== "object" || value === null) return false;
  const frame = value as Record<string, unknown>;
  switch (frame["kind"]) {
    case "result":
      return true;
    case "error":
      return typeof (frame["error"] as { readonly message?: unknown } | null | undefined)?.message === "string";
    case "call":
      return Number.isSafeInteger(frame["id"]) && typeof frame["name"] === "string" && Array.isArray(frame["args"]);
    default:
      return false;
  }
}
