import { redactHeaders } from "@bailiwick/core/provider";

const redacted = "[redacted]";
/** Query parameters that carry a key. */
const secretParameters = /^(key|api[-_]?key|access_token|token|sig|signature)$/i;
/** Headers that describe a request or an answer, and do not identify the sender. */
const keptHeaders =
  /^(content-type|accept|anthropic-version|anthropic-beta|openai-beta|retry-after(-ms)?|x-should-retry|(x-)?request-id|x-goog-request-id|x-ratelimit-.*)$/;
/** A shorter one would match ordinary text. */
const leastLength = 8;

/** Removes secrets from the recording. Secrets in the headers of requests are added as they pass. */
export interface Scrubber {
  /** Records the secrets of a request. */
  learn(url: URL, headers: Headers): void;
  text(text: string): string;
  url(url: URL): string;
  headers(headers: Headers): Readonly<Record<string, string>>;
  /** True if a text still contains a secret, in plain form or in base64. */
  leaks(text: string): boolean;
}

/**
 * Makes a scrubber.
 *
 * @param given - Secrets that are known in advance.
 * @param further - Another change of each text.
 */
export function createScrubber(given: readonly string[], further: (text: string) => string): Scrubber {
  const secrets = new Set<string>();
  const add = (secret: string): void => {
    if (secret.length >= leastLength) secrets.add(secret);
  };
  for (const secret of given) add(secret);
  // The longest first: one secret may begin with another.
  const ordered = (): readonly string[] => [...secrets].sort((a, b) => b.length - a.length);
  const text = (value: string): string => further(ordered().reduce(withoutSecret, value));
  return {
    learn(url, headers) {
      const shown = redactHeaders(headers);
      for (const [name, value] of headers) {
        if (shown[name] !== value) add(value.replace(/^(Bearer|Basic) /i, ""));
      }
      for (const [name, value] of url.searchParams) if (secretParameters.test(name)) add(value);
    },
    text,
    url(url) {
      const copy = new URL(url);
      for (const name of new Set(copy.searchParams.keys())) {
        if (secretParameters.test(name)) copy.searchParams.delete(name);
      }
      copy.username = "";
      copy.password = "";
      return text(copy.href);
    },
    headers: (headers) =>
      Object.fromEntries(
        [...headers].flatMap(([name, value]) => (keptHeaders.test(name) ? [[name, text(value)]] : [])),
      ),
    leaks: (value) =>
      ordered().some((secret) => withoutSecret(value, secret) !== value || value.includes(base64(secret))),
  };
}

/** A secret is in JSON with its quotes and line ends escaped. */
function withoutSecret(text: string, secret: string): string {
  return text.replaceAll(secret, redacted).replaceAll(JSON.stringify(secret).slice(1, -1), redacted);
}

function base64(secret: string): string {
  // The last characters depend on what follows.
  return Buffer.from(secret)
    .toString("base64")
    .replace(/.{0,2}=*$/, "");
}
