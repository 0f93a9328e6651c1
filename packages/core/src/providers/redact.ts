const secretHeaders =
  /^(authorization|proxy-authorization|api-key|x-api-key|x-goog-api-key|cookie|set-cookie)$|token|secret/i;

/** The text in place of a secret. */
const redacted = "[redacted]";

/**
 * Headers as a plain object; the values of secret headers are replaced.
 *
 * @param headers - Headers of a request or a response.
 */
export function redactHeaders(headers: Iterable<readonly [string, string]>): Readonly<Record<string, string>> {
  const result: Record<string, string> = {};
  for (const [name, value] of headers) {
    const isLimit = name.startsWith("x-ratelimit-");
    result[name] = !isLimit && secretHeaders.test(name) ? redacted : value;
  }
  return result;
}

/**
 * The error of a vendor's SDK; if it quotes a key, a copy without it. Node prints the cause of an error with its stack.
 *
 * @param cause - The error.
 * @param key - The key.
 */
export function redactCause(cause: unknown, key: string | undefined): unknown {
  if (!(cause instanceof Error)) return cause;
  const { name, message, stack = "" } = cause;
  const inner = redactCause(cause.cause, key);
  const plain = { name, message: redactKey(message, key), stack: redactKey(stack, key) };
  if (plain.message === message && plain.stack === stack && inner === cause.cause) return cause;
  return Object.assign(new Error(plain.message, inner === undefined ? undefined : { cause: inner }), plain);
}

/**
 * Text in which each occurrence of a key is replaced.
 *
 * @param text - A message or body that may quote the key.
 * @param key - The key. A key under 8 characters is not replaced, because it would match ordinary text.
 */
export function redactKey(text: string, key: string | undefined): string {
  return key === undefined || key.length < 8 ? text : text.replaceAll(key, redacted);
}
