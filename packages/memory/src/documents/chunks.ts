import { marked, type Token } from "marked";

/** A part of a document. */
export interface Chunk {
  /** The headings above it, the outermost first. */
  readonly headings: readonly string[];
  /** Its text, without the headings above it. */
  readonly text: string;
}

/** Size of a chunk, in tokens of 4 bytes, with the headings in front of it. */
export const chunkTokens = 400;

const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);

/**
 * Splits Markdown, or plain text, by headings and paragraphs. A heading stays with its text; a paragraph that is too long
 * is split by lines, sentences and words.
 *
 * @param text - The document.
 */
export function chunksOf(text: string): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let headings: readonly { readonly depth: number; readonly text: string }[] = [];
  let open: string[] = [];
  const path = (): readonly string[] => headings.map((one) => one.text);
  const close = (): void => {
    const whole = open.join("\n\n").trim();
    open = [];
    if (whole !== "") chunks.push({ headings: path(), text: whole });
  };
  for (const token of marked.lexer(withoutFrontMatter(text))) {
    const heading = headingOf(token);
    if (heading !== undefined) {
      close();
      headings = [...headings.filter(({ depth }) => depth < heading.depth), heading];
      continue;
    }
    const room = Math.max(50, chunkTokens - tokensOf(path().join(" > ")));
    for (const part of partsOf(token.raw.trim(), room)) {
      if (open.length > 0 && tokensOf(`${open.join("\n\n")}\n\n${part}`) > room) close();
      if (part !== "") open.push(part);
    }
  }
  close();
  return chunks;
}

function headingOf(token: Token): { readonly depth: number; readonly text: string } | undefined {
  if (token.type !== "heading") return undefined;
  const { depth, text } = token as { readonly depth: number; readonly text: string };
  const plain = text.replaceAll(/[*_`]|\[(?<said>[^\]]{0,200})\]\([^)]{0,500}\)/gu, "$<said>").trim();
  return { depth, text: plain.slice(0, 200) };
}

/** Readers do not see the front matter of a page. */
function withoutFrontMatter(text: string): string {
  const whole = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (!/^---[ \t]*\r?\n/u.test(whole)) return whole;
  const end = /\r?\n---[ \t]*(?:\r?\n|$)/u.exec(whole);
  return end === null ? whole : whole.slice(end.index + end[0].length);
}

const separators: readonly RegExp[] = [/\n{2,}/u, /\n/u, /(?<=[.!?。！？])\s+/u, /\s+/u];

/** Splits a text into parts of at most this many tokens, at the largest separator that is enough. */
function partsOf(text: string, room: number, level = 0): readonly string[] {
  if (tokensOf(text) <= room) return [text];
  const separator = separators[level];
  if (separator === undefined) return piecesOf(text, room);
  const parts: string[] = [];
  for (const piece of text.split(separator).flatMap((one) => partsOf(one, room, level + 1))) {
    const joined =
      parts.length === 0 ? piece : `${parts.at(-1) ?? ""}${level === 0 ? "\n\n" : level === 1 ? "\n" : " "}${piece}`;
    if (parts.length > 0 && tokensOf(joined) <= room) parts[parts.length - 1] = joined;
    else parts.push(piece);
  }
  return parts;
}

/** Text without spaces, such as Japanese, or one long word. */
function piecesOf(text: string, room: number): readonly string[] {
  const pieces: string[] = [];
  let open = "";
  for (const letter of text) {
    if (tokensOf(open + letter) > room) {
      pieces.push(open);
      open = "";
    }
    open += letter;
  }
  return open === "" ? pieces : [...pieces, open];
}
