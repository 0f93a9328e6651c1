import { ConfigurationError } from "@bailiwick/core";

/**
 * Checks a secret of Standard Webhooks: `whsec_` and 24 to 64 bytes in base64.
 *
 * @throws ConfigurationError `INVALID_OPTION`, whose message does not contain the secret.
 */
export function secretBytes(secret: string, where: string): Uint8Array<ArrayBuffer> {
  const bytes =
    typeof secret === "string" && secret.startsWith("whsec_") ? fromBase64(secret.slice("whsec_".length)) : undefined;
  if (bytes !== undefined && bytes.length >= 24 && bytes.length <= 64) return bytes;
  throw new ConfigurationError(
    "INVALID_OPTION",
    `${where}: a secret is "whsec_" and 24 to 64 random bytes in base64. Make one with: openssl rand -base64 32`,
  );
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.codePointAt(0) ?? 0);
  } catch {
    return undefined;
  }
}

/**
 * Headers of a message, signed according to Standard Webhooks. With several secrets it has a signature of each.
 *
 * @param secrets - Bytes of the secrets.
 * @param id - The same for each try of a message.
 * @param at - The time of this try, in milliseconds since the epoch.
 * @param body - Exact body of the request.
 * @see https://www.standardwebhooks.com
 */
export async function signedHeaders(
  secrets: readonly Uint8Array<ArrayBuffer>[],
  id: string,
  at: number,
  body: string,
): Promise<Readonly<Record<string, string>>> {
  const timestamp = String(Math.floor(at / 1000));
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signatures = secrets.map(async (secret) => {
    const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
    return `v1,${btoa(String.fromCodePoint(...mac))}`;
  });
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": (await Promise.all(signatures)).join(" "),
  };
}
