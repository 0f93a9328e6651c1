// Prepares recorded exchanges with model servers for the folder of recordings: keys, names and large data are removed.
import { createHash } from "node:crypto";

/** @typedef {Readonly<Record<string, any>>} Exchange one line of a file of recordings */

const apis = ["anthropic", "google", "openai-chat", "openai-responses"];
/** Headers that change an answer or say when to ask again. */
const keptHeaders = /^(content-type|retry-after.*|x-ratelimit-.*|anthropic-beta|anthropic-version|openai-beta)$/;
/** Base64 of this length or more is replaced by a mark that is equal for equal data. */
const longData = 600;

/** @type {readonly (readonly [RegExp, string])[]} */
const removals = [
  [/\b(sk|gsk|xai|hf|rk|pk|csk|r8)[-_][A-Za-z0-9_-]{16,}/g, "[removed key]"],
  [/\bAIza[A-Za-z0-9_-]{20,}/g, "[removed key]"],
  [/\bBearer\s+[A-Za-z0-9._~+/=-]{8,}/gi, "Bearer [removed key]"],
  [/([?&](?:key|api_key|api-key|token|access_token)=)[^&\s"]+/gi, "$1[removed key]"],
  [/\b(org|proj|acct|user)[-_][A-Za-z0-9]{16,}/g, "$1-removed"],
  [/[\w.+-]+@[\w-]+\.[\w.-]*\w/g, "name@mail.example"],
  [/\/(home|Users)\/[^/\s"\\]+/g, "/$1/name"],
];

/**
 * @param {string} text
 * @returns {string} the text without keys, names and large data
 */
export function cleaned(text) {
  const named = removals.reduce((rest, [form, put]) => rest.replace(form, put), text);
  return named.replace(new RegExp(`[A-Za-z0-9+/]{${longData},}={0,2}`, "g"), (data) => {
    const mark = `[removed ${data.length} base64 characters, sha256 ${createHash("sha256").update(data).digest("hex").slice(0, 16)}]`;
    return Buffer.from(mark).toString("base64");
  });
}

/**
 * @param {unknown} value
 * @returns {any}
 */
function cleanedValue(value) {
  if (typeof value === "string") return cleaned(value);
  if (Array.isArray(value)) return value.map(cleanedValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleanedValue(each)]));
}

/** @param {Readonly<Record<string, string>>} headers */
function cleanedHeaders(headers = {}) {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return Object.fromEntries(entries.filter(([name]) => keptHeaders.test(name ?? "")));
}

/**
 * @param {string} text - JSON Lines of exchanges, in the form of the folder's README; a new `id` replaces a given one.
 * @param {ReadonlySet<string>} ids - Ids that the folder has.
 * @returns {readonly { file: string, line: string, id: string }[]} the lines to append, by file
 */
export function prepared(text, ids) {
  const taken = new Set(ids);
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, index) => {
      /** @type {Exchange} */
      const given = JSON.parse(line);
      const { api, server, model, method, path, request, response } = given;
      const missing = Object.entries({ api, server, model, method, path, request, response }).filter(
        ([, value]) => value === undefined,
      );
      if (missing.length > 0) throw new Error(`Line ${index + 1} has no ${missing.map(([name]) => name).join(", ")}.`);
      if (!apis.includes(api)) throw new Error(`Line ${index + 1} has the api "${api}". Known: ${apis.join(", ")}.`);
      if (typeof response.status !== "number" || (response.body === undefined && !Array.isArray(response.stream)))
        throw new Error(`Line ${index + 1} needs response.status, and response.body or response.stream.`);
      let number = 1;
      while (taken.has(`${api}-added-${number}`)) number += 1;
      const id = `${api}-added-${number}`;
      taken.add(id);
      const exchange = cleanedValue({
        ...given,
        id,
        request: { ...request, headers: cleanedHeaders(request.headers) },
        response: { ...response, headers: cleanedHeaders(response.headers) },
      });
      return { file: `${api}.added.jsonl`, line: JSON.stringify(exchange), id };
    });
}
