import { createHash } from "node:crypto";
import { parseJson, type JsonObject } from "./json.ts";

/** An output item that the Responses wire sent. */
interface IssuedItem {
  readonly item: JsonObject;
  /** The reasoning item that it follows in its answer. */
  readonly reasoningId?: string | undefined;
  /** The item after a reasoning item. */
  readonly followerId?: string | undefined;
  readonly stored: boolean;
}

/** A stored answer of the Responses wire, with all input that led to it. */
interface IssuedResponse {
  readonly input: readonly JsonObject[];
}

/** Values that the server issued, so that it detects changed ones. */
export interface IssuedMemory {
  readonly items: Map<string, IssuedItem>;
  readonly responses: Map<string, IssuedResponse>;
  /** Signatures that scripts provided, with the content they sign. */
  readonly signatures: Map<string, string>;
  /**
   * An opaque block for some content. It is verified without stored state, so a conversation outlives the server that
   * began it.
   *
   * @param kind - Vendor's form of the value.
   * @param content - The signed content.
   */
  sign(kind: SignatureKind, content: string): string;
  /** True if a block is one of this server's, for this content; `content` undefined: for any. */
  verify(kind: SignatureKind, signature: string, content: string | undefined): boolean;
}

/** The vendor of an opaque block. */
export type SignatureKind = "anthropic" | "openai" | "google";

interface Look {
  /** The first bytes of the vendor's blocks. */
  readonly beginning: Buffer;
  readonly encoding: "base64" | "base64url";
}

const looks: Readonly<Record<SignatureKind, Look>> = {
  anthropic: { beginning: Buffer.from("EqoB", "base64"), encoding: "base64" },
  openai: { beginning: Buffer.from("gAAAAABp", "base64url"), encoding: "base64url" },
  google: { beginning: Buffer.from("CiQB", "base64"), encoding: "base64" },
};

/** An empty memory. */
export function issuedMemory(): IssuedMemory {
  const signatures = new Map<string, string>();
  return {
    items: new Map(),
    responses: new Map(),
    signatures,
    sign: make,
    verify(kind, signature, content): boolean {
      const known = signatures.get(signature);
      if (known !== undefined) return content === undefined || known === content;
      const signed = read(kind, signature);
      return signed !== undefined && make(kind, signed) === signature && (content === undefined || content === signed);
    },
  };
}

function make(kind: SignatureKind, content: string): string {
  const { beginning, encoding } = looks[kind];
  // JSON, so that a lone surrogate survives.
  const carried = JSON.stringify(content);
  const digest = createHash("sha256").update(`${kind}\n${carried}`).digest();
  return Buffer.concat([beginning, digest, Buffer.from(carried, "utf8")]).toString(encoding);
}

function read(kind: SignatureKind, signature: string): string | undefined {
  const { beginning, encoding } = looks[kind];
  const carried = Buffer.from(signature, encoding)
    .subarray(beginning.length + 32)
    .toString("utf8");
  const content = parseJson(carried);
  return typeof content === "string" ? content : undefined;
}
