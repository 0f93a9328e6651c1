import { Buffer } from "node:buffer";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";

/** The text of the answer in every form. */
export const answerText = "Hello there, how are you today?";

const whole = {
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: answerText } }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
};
const chunk = (delta: object, reason: string | null): object => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason: reason }],
});
const json = Buffer.from(JSON.stringify(whole));
const events = Buffer.from(
  [chunk({ role: "assistant", content: answerText.slice(0, 12) }, null), chunk({ content: answerText.slice(12) }, null)]
    .concat(chunk({}, "stop"))
    .map((data) => `data: ${JSON.stringify(data)}\n\n`)
    .concat("data: [DONE]\n\n")
    .join(""),
);

/** A form in which a server sends its answer. */
export interface Form {
  readonly body: Buffer;
  readonly encoding?: string;
  readonly isStream?: boolean;
  readonly isChunked?: boolean;
}

export type FormName =
  | "plain"
  | "chunked"
  | "gzip"
  | "deflate"
  | "raw deflate"
  | "br"
  | "twice"
  | "sse"
  | "sse in gzip";

/** Every form of the one answer. */
export const forms: Readonly<Record<FormName, Form>> = {
  plain: { body: json },
  chunked: { body: json, isChunked: true },
  gzip: { body: gzipSync(json), encoding: "gzip" },
  deflate: { body: deflateSync(json), encoding: "deflate" },
  "raw deflate": { body: deflateRawSync(json), encoding: "deflate" },
  br: { body: brotliCompressSync(json), encoding: "br", isChunked: true },
  twice: { body: brotliCompressSync(gzipSync(json)), encoding: "gzip, br" },
  sse: { body: events, isStream: true, isChunked: true },
  "sse in gzip": { body: gzipSync(events), encoding: "gzip", isStream: true, isChunked: true },
};

/**
 * The damage at a byte of the response: the body ends early in a message that is otherwise well formed, the server
 * closes or resets the connection, or it sends another byte. Heads are damaged too, except by the first.
 */
type Damage = "short" | "closed" | "reset" | "corrupt";
const damages: readonly Damage[] = ["short", "closed", "reset", "corrupt"];

/** One damaged answer. */
export interface Damaged {
  readonly form: FormName;
  readonly damage: Damage;
  /** Byte of the body for `short`, else of the whole response. */
  readonly at: number;
}

function framed(form: Form, body: Uint8Array): Buffer {
  const head = [
    "HTTP/1.1 200 OK",
    `content-type: ${form.isStream === true ? "text/event-stream" : "application/json"}`,
    ...(form.encoding === undefined ? [] : [`content-encoding: ${form.encoding}`]),
    form.isChunked === true ? "transfer-encoding: chunked" : `content-length: ${body.length}`,
  ];
  const pieces: Uint8Array[] = [Buffer.from(`${head.join("\r\n")}\r\n\r\n`)];
  if (form.isChunked !== true) return Buffer.concat([...pieces, body]);
  for (let at = 0; at < body.length; at += 100) {
    const piece = body.subarray(at, at + 100);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n"));
  }
  return Buffer.concat([...pieces, Buffer.from("0\r\n\r\n")]);
}

/** The bytes of a whole answer. */
export function wholeAnswer(name: FormName): Buffer {
  return framed(forms[name], forms[name].body);
}

/** The bytes that the server sends of a damaged answer. */
export function damagedAnswer({ form, damage, at }: Damaged): Buffer {
  if (damage === "short") return framed(forms[form], forms[form].body.subarray(0, at));
  const bytes = wholeAnswer(form);
  if (damage !== "corrupt") return bytes.subarray(0, at);
  const changed: Buffer = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ (1 + ((at * 37) % 255));
  return changed;
}

/** Every damage at every byte of every form. */
export function everyDamage(): readonly Damaged[] {
  return (Object.keys(forms) as FormName[]).flatMap((form) =>
    damages.flatMap((damage) => {
      const { length } = damage === "short" ? forms[form].body : wholeAnswer(form);
      return Array.from({ length }, (_, at) => ({ form, damage, at }));
    }),
  );
}
