import type { JsonValue } from "./json.ts";

/**
 * Opaque data of the vendor that made a part: signatures, encrypted reasoning, item ids.
 * Replayed byte for byte to the same provider, API and model, and to no other.
 */
export type ProviderState = JsonValue;

interface PartBase {
  /** Opaque vendor data that belongs to this part; only adapters read it. */
  readonly providerState?: ProviderState | undefined;
}

/** Plain text. */
export interface TextPart extends PartBase {
  /** Always `text`. */
  readonly type: "text";
  /** The text. */
  readonly text: string;
  /**
   * `true` on a part of a user message whose text comes from elsewhere: it is labelled untrusted. `false` on texts of
   * answers and results in `messages` that your code trusts; without it they count as untrusted.
   */
  readonly untrusted?: boolean | undefined;
  /** Set on text of an answer that comments on the work so far: it is shown, but is not the answer. */
  readonly commentary?: boolean | undefined;
}

/** Image formats that every vision model accepts. */
export type ImageMimeType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

interface MediaBase extends PartBase {
  /** `true` if other people made the image, the recording or the file. */
  readonly untrusted?: boolean | undefined;
}

interface MediaData {
  /** Base64, a `data:` URL, or bytes; a plain http(s) string is read as `url`. */
  readonly data: string | Uint8Array;
  /** Always absent: this part has `data`. */
  readonly url?: undefined;
}

interface MediaUrl {
  /** Address of the image or the file. */
  readonly url: string;
  /** Always absent: this part has a `url`. */
  readonly data?: undefined;
}

interface ImageBase extends MediaBase {
  /** Always `image`. */
  readonly type: "image";
  /** Media type, such as `image/png`; detected if absent. */
  readonly mimeType?: ImageMimeType | undefined;
}

/** An image given as base64 text, a `data:` URL or bytes. */
export interface ImageDataPart extends ImageBase, MediaData {}

/** An image that the vendor fetches. */
export interface ImageUrlPart extends ImageBase, MediaUrl {}

/** An image, as data or as a URL, with a separate type for each. */
export type ImagePart = ImageDataPart | ImageUrlPart;

/** Audio formats. */
export type AudioMimeType = "audio/mp3" | "audio/wav" | "audio/ogg" | "audio/webm";

/** Recorded audio as base64 text, a `data:` URL or bytes. */
export interface AudioPart extends MediaBase {
  /** Always `audio`. */
  readonly type: "audio";
  /** Bytes, or Base64 text. */
  readonly data: string | Uint8Array;
  /** Media type, such as `audio/mpeg`. */
  readonly mimeType: AudioMimeType;
}

interface FileBase extends MediaBase {
  /** Always `file`. */
  readonly type: "file";
  /** Media type, such as `application/pdf`. */
  readonly mimeType: string;
  /** Name that the model reads. */
  readonly filename?: string | undefined;
}

/** A file given as base64 text, a `data:` URL or bytes. */
export interface FileDataPart extends FileBase, MediaData {}

/** A file that the vendor fetches. */
export interface FileUrlPart extends FileBase, MediaUrl {}

/** A file, as data or as a URL, with a separate type for each. */
export type FilePart = FileDataPart | FileUrlPart;

/** Parts of a user message or a tool result. */
export type ContentPart = TextPart | ImagePart | AudioPart | FilePart;

/** The model's reasoning. `text` may be empty where the vendor only returns an encrypted form. */
export interface ReasoningPart extends PartBase {
  /** Always `reasoning`. */
  readonly type: "reasoning";
  /** The reasoning that the vendor returned, often a summary. */
  readonly text: string;
}

/** The model declined to answer. */
export interface RefusalPart extends PartBase {
  /** Always `refusal`. */
  readonly type: "refusal";
  /** The model's explanation of its refusal. */
  readonly text: string;
}

/** The place of a tool call among the parts of an answer; the call itself is in `toolCalls`. */
export interface ToolCallPart extends PartBase {
  /** Always `tool_call`. */
  readonly type: "tool_call";
  /** Id of the tool call, unique in the run. */
  readonly toolCallId: string;
}

/** A call that the vendor ran, with its result. */
export interface HostedToolPart extends PartBase {
  /** Always `hosted_tool`. */
  readonly type: "hosted_tool";
  /** Id of the call at the vendor. */
  readonly toolCallId: string;
  /** The vendor's name of the hosted tool, such as `web_search`. */
  readonly toolName: string;
  /** Input of the call. */
  readonly input?: JsonValue | undefined;
  /** Output of the call. */
  readonly output?: JsonValue | undefined;
  /** True if the call failed. */
  readonly isError?: boolean | undefined;
  /** Set while the vendor waits for a person: hosted MCP approval. */
  readonly approvalRequestId?: string | undefined;
}

/** A citation that the vendor attached to the answer. */
export interface SourcePart extends PartBase {
  /** Always `source`. */
  readonly type: "source";
  /** Address of the source. */
  readonly url?: string | undefined;
  /** Title of the source. */
  readonly title?: string | undefined;
  /** The vendor's id of the source. */
  readonly sourceId?: string | undefined;
  /** The vendor's id of the document. */
  readonly documentId?: string | undefined;
}

/** Parts of an assistant message, in the order of the model. */
export type AssistantPart =
  | TextPart
  | ReasoningPart
  | RefusalPart
  | ToolCallPart
  | HostedToolPart
  | SourcePart
  | ImagePart
  | AudioPart
  | FilePart;
