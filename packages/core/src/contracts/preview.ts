import type { ToolExecutionContext } from "./tool-context.ts";

/** The context of a `preview`: that of `execute`, without the parts that ask, wait, stream or change state. */
export type PreviewContext<Dependencies = unknown> = Omit<
  ToolExecutionContext<Dependencies>,
  "ask" | "sleep" | "setState" | "updateState" | "streamContent" | "reportProgress" | "endorse" | "preview"
>;

/** A description of what a call would do, made by the tool's `preview` before a person decides. */
export interface ToolPreview {
  /** A text for the person. */
  readonly text?: string | undefined;
  /** A difference in the form of `diff -u`. */
  readonly diff?: string | undefined;
  /** Sentences about what is unusual; each raises the question to `unusual`. */
  readonly facts?: readonly string[] | undefined;
  /** Names what would be done: an approval holds for this digest only. 1 to 512 characters. */
  readonly digest: string;
  /**
   * `execute` acts on exactly the object of the digest, such as a stored draft, so the preview is not made again before
   * it. Default: it is made again, and the person is asked again if the digest is another.
   */
  readonly exact?: true | undefined;
}

/** The preview as a question shows it. */
export interface QuestionPreview {
  /** The text, or why there is no preview. */
  readonly text?: string | undefined;
  /** The difference. */
  readonly diff?: string | undefined;
  /** The digest that the decision binds; absent without a preview. */
  readonly digest?: string | undefined;
  /** `execute` acts on the object of the digest. */
  readonly exact?: true | undefined;
  /** Number of lines that are not shown, because the preview is longer than 400 lines or 64 KB. */
  readonly linesLeftOut?: number | undefined;
}
