import type { AudioPart, ContentPart, FilePart, ImagePart, TextPart } from "../contracts/content-part.ts";
import type { MediaRules, ModelCapabilities } from "../contracts/model-provider.ts";
import { mediaSource, typeOfBytes } from "../providers/media.ts";
import { fromBase64 } from "../json/base64.ts";
import { wellFormed } from "../json/well-formed.ts";

type MediaPart = ImagePart | AudioPart | FilePart;

/** A place in a request that can contain media. */
export type MediaPlace = "user" | "toolResult";

/**
 * The treatment of a media part: sent unchanged, sent under its true type, replaced by its text, or left out.
 * `download` is the address of a part that could be sent if its bytes were available.
 */
export type MediaVerdict =
  | { readonly part: ContentPart; readonly why?: undefined; readonly download?: undefined }
  | {
      readonly part?: undefined;
      readonly why: string;
      readonly download?: string | undefined;
      /** True if the part could be sent if it were smaller. */
      readonly tooLarge?: true | undefined;
    };

/** Names that one media type has. */
const sameTypes: Readonly<Record<string, string>> = {
  "image/jpg": "image/jpeg",
  "image/pjpeg": "image/jpeg",
  "audio/mp3": "audio/mpeg",
  "audio/x-wav": "audio/wav",
  "audio/wave": "audio/wav",
  "image/heif": "image/heic",
};
/** File extensions of addresses whose type is an image. */
const endings: Readonly<Record<string, string>> = {
  svg: "image/svg+xml",
  heic: "image/heic",
  bmp: "image/bmp",
  tif: "image/tiff",
  tiff: "image/tiff",
  gif: "image/gif",
  webp: "image/webp",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
};

/** Decides the treatment of a media part in a place of a request. */
export function judgeMedia(part: MediaPart, capabilities: ModelCapabilities, place: MediaPlace): MediaVerdict {
  const type = trueType(part);
  const kind = kindOf(part, type);
  const rules = rulesOf(capabilities, place);
  const source = mediaSource(part);
  if (source.kind === "data" && source.base64 === "") return { why: "it is empty" };
  if (part.type === "image" && type?.startsWith("image/") === false) return { why: `it is ${type}, not an image` };
  if (!capabilities.input[kind]) {
    return asText(part, type) ?? { why: `this model does not take ${part.type} input` };
  }
  if (source.kind === "url") return judgeAddress(part, source.url, type, rules);
  if (rules !== undefined && (type === undefined ? part.type === "file" : !matches(type, rules.types))) {
    return asText(part, type) ?? { why: `this model takes ${rules.types.join(", ")}` };
  }
  const bytes = Math.floor((source.base64.length * 3) / 4);
  const most = kind === "image" ? rules?.maxImageBytes : undefined;
  if (most !== undefined && bytes > most)
    return { why: `it has ${bytes} bytes, and this model takes images of ${most} bytes`, tooLarge: true };
  return { part: withType(part, type, source) };
}

function judgeAddress(
  part: MediaPart,
  url: string,
  type: string | undefined,
  rules: MediaRules | undefined,
): MediaVerdict {
  // Any other scheme names a file that the vendor stores.
  if (!/^https?:/i.test(url)) return { part };
  const fetched = rules?.urls ?? rules?.types;
  if (fetched === undefined || (type === undefined ? fetched.length > 0 : matches(type, fetched))) return { part };
  return {
    why: fetched.length === 0 ? "this server fetches no addresses" : `this model takes ${fetched.join(", ")}`,
    ...((type === undefined || matches(type, rules?.types ?? [])) && { download: url }),
  };
}

function rulesOf({ media }: ModelCapabilities, place: MediaPlace): MediaRules | undefined {
  return place === "toolResult" ? (media?.toolResult ?? media?.user) : media?.user;
}

/** The type by the bytes, else the declared one, else by the address; vendors refuse a wrong type. */
function trueType(part: MediaPart): string | undefined {
  const source = mediaSource(part);
  if (source.kind === "url") {
    const ending = /\.([a-z]+)(?:[?#]|$)/i.exec(source.url)?.[1]?.toLowerCase() ?? "";
    const known = part.type === "image" && Object.hasOwn(endings, ending) ? endings[ending] : undefined;
    return normalType(part.mimeType ?? known);
  }
  const declared = normalType(part.mimeType ?? source.mimeType);
  const found = typeOfBytes(source.base64);
  const replaces = found?.startsWith("image/") === true && (part.type === "image" || declared?.startsWith("image/"));
  return replaces === true ? found : declared;
}

function normalType(type: string | undefined): string | undefined {
  const plain = type?.split(";")[0]?.trim().toLowerCase();
  if (plain === undefined || plain === "") return undefined;
  return Object.hasOwn(sameTypes, plain) ? sameTypes[plain] : plain;
}

/** A file may be an image or sound. */
function kindOf(part: MediaPart, type: string | undefined): MediaPart["type"] {
  if (part.type !== "file") return part.type;
  if (type?.startsWith("image/") === true) return "image";
  return type?.startsWith("audio/") === true ? "audio" : "file";
}

function matches(type: string, types: readonly string[]): boolean {
  return types.some((known) => (known.endsWith("/*") ? type.startsWith(known.slice(0, -1)) : known === type));
}

/** The part under its true type, even if a `data:` URL has another: vendors refuse aliases such as `image/jpg`. */
function withType(
  part: MediaPart,
  type: string | undefined,
  { base64, mimeType }: { base64: string; mimeType: string },
): MediaPart {
  if (type === undefined || mimeType === type || (type.startsWith("audio/") && normalType(mimeType) === type))
    return part;
  return { ...part, url: undefined, data: base64, mimeType: type } as MediaPart;
}

/** Text files are sent as text if the vendor does not accept text files. */
function asText(part: MediaPart, type: string | undefined): MediaVerdict | undefined {
  if (part.type !== "file" || type === undefined) return undefined;
  if (!/^text\/|[/+](json|xml|yaml|javascript|typescript|sql|toml)$/.test(type) || type === "image/svg+xml")
    return undefined;
  const source = mediaSource(part);
  if (source.kind === "url") return undefined;
  const name = part.filename === undefined ? "" : ` "${wellFormed(part.filename)}"`;
  const text: TextPart = {
    type: "text",
    text: wellFormed(`File${name} (${type}):\n${decoded(source.base64)}`),
    ...(part.untrusted === undefined ? {} : { untrusted: part.untrusted }),
  };
  return { part: text };
}

function decoded(base64: string): string {
  try {
    return new TextDecoder().decode(fromBase64(base64));
  } catch {
    // The caller passed text, not base64.
    return base64;
  }
}
