import type { ContentPart } from "../content-part.ts";
import type { InterruptionData } from "../interruption.ts";
import type { JournalEventInput } from "../journal-event.ts";
import type { Key } from "../keys.ts";
import type { InboundSanitizationPolicy } from "../vocabularies.ts";
import type { SandboxPort } from "./sandbox.ts";
import type { SecretAccess, SecretSource } from "./secrets.ts";
import type { FlowPort } from "./flow-policy.ts";
import type { TextFilter } from "./text-filter.ts";

/** Secrets of one agent: access by tool call, substitution at egress, scrubbing of every output. */
export interface SecretsPort {
  /**
   * @param toolName - The tool that declares the secrets, for errors.
   * @param names - Names in the tool's `secrets`.
   * @throws UnknownSecretError at registration, when no source declares the name.
   */
  check(toolName: string, names: readonly string[]): void;
  /** Resolves when the values of all checked names are known, so that `scrub` finds them; awaited before a run's first step. */
  ready(): Promise<void>;
  /**
   * Access bound to one context object; `record` journals reveals and refusals.
   *
   * @param call - The tool call, the secrets that its tool may read, and the function that journals each use.
   */
  accessFor(call: {
    readonly toolName: string;
    readonly toolCallId: string;
    readonly allowed: readonly string[];
    readonly record: (event: JournalEventInput) => void;
  }): { readonly secrets: SecretAccess; readonly fetch: typeof fetch };
  /**
   * Replaces every known value, raw and encoded, anywhere in a JSON-like value; returns the same value if it contains
   * none.
   *
   * @param value - A value that leaves the tool, such as its output.
   */
  scrub<T>(value: T): T;
  /** Scrubs text that arrives in pieces. */
  textScrubber(): TextFilter;
  /**
   * True if a value holds a known secret.
   *
   * @param value - A text, or any JSON value.
   */
  holdsSecret(value: unknown): boolean;
}

/**
 * Makes a `SecretsPort` from an agent's source.
 *
 * @param source - The agent's `secrets` option.
 */
export type SecretsFactory = (source: SecretSource) => SecretsPort;

/** The findings of a sanitizer, and the cleaned text. */
export interface Sanitized {
  /** The cleaned text or parts. */
  readonly content: string | readonly ContentPart[];
  /** Names of the patterns that were found; empty when clean. */
  readonly findings: readonly string[];
  /** The scan failed or ran out of time. */
  readonly failed?: boolean | undefined;
  /** The text before and after a framed text: shortening keeps both. */
  readonly frame?: readonly [before: string, after: string] | undefined;
}

/** Cleans foreign text before a model or a person reads it. */
export interface SanitizerPort {
  /**
   * Treats a tool result; `nonce` marks this run's envelope.
   *
   * @param content - Text or parts that a tool returned.
   * @param options - The policy, the tool's name for the frame, and a random text that the content cannot guess.
   */
  inbound(
    content: string | readonly ContentPart[],
    options: { readonly policy: InboundSanitizationPolicy; readonly toolName: string; readonly nonce: string },
  ): Sanitized | Promise<Sanitized>;
  /**
   * Makes a value safe to show in an approval, a log or a terminal.
   *
   * @param value - A text, or any JSON value.
   */
  display<T>(value: T): T;
}

/** Signs approvals that leave the process, and journal heads. */
export interface ApprovalSigner {
  /**
   * Returns a token that is valid for exactly this question.
   *
   * @param interruption - The question, without a token.
   */
  sign(interruption: Omit<InterruptionData, "token">): string;
  /**
   * Returns `true` if the token was made for exactly this question.
   *
   * @param interruption - The question, as it came back.
   * @param token - The token that came back with it.
   */
  verify(interruption: InterruptionData, token: string): boolean;
}

/** Seals values that must not be readable at rest. */
export interface Sealer {
  /**
   * Returns the value in sealed form.
   *
   * @param value - Any JSON value.
   * @param place - The record or field of the value; the value opens only there.
   */
  seal(value: unknown, place?: string): Promise<{ readonly $sealed: string }>;
  /**
   * Rejects if the key or the place differs, or the value was changed.
   *
   * @param sealed - The sealed value.
   * @param place - The place that was passed to `seal`.
   */
  open(sealed: { readonly $sealed: string }, place?: string): Promise<unknown>;
}

/** A file that was downloaded. */
export interface DownloadedFile {
  /** Content of the file. */
  readonly bytes: Uint8Array;
  /** Media type as the server declares it. */
  readonly type?: string | undefined;
}

/** Everything that `@bailiwick/security` adds. A tool that needs a missing port is refused at registration. */
export interface SecurityPorts {
  /** Gives tools their secrets, and removes known values from the output of tools. */
  readonly secrets?: SecretsFactory | undefined;
  /** Cleans untrusted text before the model reads it. */
  readonly sanitizer?: SanitizerPort | undefined;
  /** Decides each call by the labels of its values. */
  readonly flow?: FlowPort | undefined;
  /** Runs the code of tools in sandboxes. */
  readonly sandbox?: SandboxPort | undefined;
  /** Downloads a file at an address that a message names; refuses an address that is not public. */
  readonly download?: ((url: string, signal: AbortSignal) => Promise<DownloadedFile>) | undefined;
  /** Makes a signer. With a list of keys, the first signs, and a signature by any of them is accepted. */
  readonly signer?: ((key: Key | readonly Key[]) => ApprovalSigner) | undefined;
  /** Makes a sealer. With a list of keys, the first seals, and every key opens. */
  readonly sealer?: ((key: Key | readonly Key[]) => Sealer) | undefined;
}
