import type { webcrypto } from "node:crypto";
import { DpopSession, generateDpopKeyPair } from "@modelcontextprotocol/client";

const algorithm = { name: "ECDSA", namedCurve: "P-256" } as const;

/** A key in its stored form, next to the tokens that are bound to it. */
interface KeptKey {
  readonly privateJwk: webcrypto.JsonWebKey;
  readonly publicJwk: webcrypto.JsonWebKey;
  readonly thumbprint: string;
}

/** The parsed value under a key of the token store. */
export interface KeyPlace {
  read(): Promise<KeptKey | undefined>;
  write(key: KeptKey): Promise<void>;
}

/** Proves possession of the key that the stored tokens are bound to; creates a key if there is none. */
export async function proofSession(place: KeyPlace): Promise<DpopSession> {
  const kept = await place.read();
  if (kept === undefined) {
    const keyPair = await generateDpopKeyPair({ alg: "ES256", extractable: true });
    const privateJwk = await crypto.subtle.exportKey("jwk", keyPair.privateKey);
    await place.write({
      privateJwk,
      publicJwk: keyPair.publicJwk,
      thumbprint: keyPair.thumbprint,
    });
    return DpopSession.create({ keyPair });
  }
  const { privateJwk, publicJwk, thumbprint } = kept;
  const keyPair = {
    privateKey: await crypto.subtle.importKey("jwk", privateJwk, algorithm, false, ["sign"]),
    publicKey: await crypto.subtle.importKey("jwk", publicJwk, algorithm, true, ["verify"]),
    publicJwk: publicJwk as never,
    thumbprint,
    alg: "ES256" as const,
  };
  return DpopSession.create({ keyPair });
}
