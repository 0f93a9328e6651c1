import type { ContentPart } from "../../contracts/content-part.ts";
import type { JournalEventOf } from "../../contracts/journal-event.ts";
import type { ToolFailure } from "../../contracts/tool-call-result.ts";
import type { Sanitized } from "../../contracts/ports/security.ts";
import type { InboundSanitizationPolicy, ToolErrorKind } from "../../contracts/vocabularies.ts";
import { failure } from "./failure.ts";
import type { PipelineCall } from "./call.ts";
import { isContentPart } from "../../history/is-content-part.ts";
import { plainMedia } from "../../history/plain-media.ts";

/** The model's view of a call, stage by stage. Computed from the record alone, so it can be computed again. */
export interface Presentation {
  readonly call: PipelineCall;
  readonly outcome: JournalEventOf<"tool.outcome">;
  /** The parsed output. */
  output: unknown;
  content: string | readonly ContentPart[];
  failure: ToolFailure | undefined;
  /** The text comes from the framework: no part of it is from the tool. */
  ownText: boolean;
  /** References replace the parts that the model may not see. */
  isRedacted?: boolean;
  /** Findings of the sanitizer; `scan-failed` if the scan failed. */
  findings?: readonly string[];
  /** The treatment of the text, and its frame. */
  treatment?: { readonly policy: InboundSanitizationPolicy; readonly frame: Sanitized["frame"] };
  /** The blob with the whole text, if only its beginning is shown. */
  spilled?: string;
}

/** Replaces the result with a failure. The failure of a writer states that its effect happened. */
export function refuse(presentation: Presentation, kind: ToolErrorKind, message: string, code?: string): void {
  const { call, outcome } = presentation;
  const happened =
    call.tool?.__isWriter === true &&
    outcome.failure === undefined &&
    outcome.simulated !== true &&
    outcome.deduplicated !== true;
  const text = happened
    ? `${message} The effect of the call DID happen: do not call it again for the same purpose.`
    : message;
  presentation.failure = failure(kind, text, {
    ...(code !== undefined && { code }),
    ...(happened && { effectHappened: true }),
  });
  presentation.content = text;
  presentation.output = undefined;
  presentation.ownText = true;
}

/** The error of a list of content parts; `undefined` if there is none. */
export function contentPartProblem(parts: unknown): string | undefined {
  if (!Array.isArray(parts)) return "its contentParts are not an array";
  const bad = parts.findIndex((part) => !isContentPart(part));
  return bad === -1 ? undefined : `contentParts[${bad}] is not text, image, audio or file part`;
}

/** A part in its journaled form: bytes as base64, and an image's plain web address as `url`. */
export function plainPart(part: ContentPart): ContentPart {
  if (part.type === "text" || part.data === undefined) return part;
  if (typeof part.data !== "string") return plainMedia(part);
  if (part.type === "image" && /^https?:\/\//i.test(part.data)) {
    const { data, ...rest } = part;
    return { ...rest, url: data };
  }
  return part;
}
