import { ConfigurationError } from "../errors/configuration-errors.ts";
import { shown } from "../errors/value-checks.ts";

/**
 * Refuses an id of a model that is not text, or empty.
 *
 * @param given - The id.
 * @param what - Function that takes it, for the message: `openai()`.
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function checkModelId(given: unknown, what: string): void {
  if (typeof given === "string" && given !== "") return;
  throw new ConfigurationError("INVALID_OPTION", `${what} takes the id of a model first${shown(given)}.`);
}

/**
 * Refuses an address that `fetch` cannot call: `localhost:8000` is a URL, but its scheme is `localhost`.
 *
 * @param given - The address; `undefined` is the default.
 * @param what - Function that takes it, for the message: `openai()`.
 * @param example - A complete address.
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function checkBaseURL(given: string | undefined, what: string, example: string): void {
  if (given === undefined || (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol))) return;
  throw new ConfigurationError(
    "INVALID_OPTION",
    `The baseURL ${JSON.stringify(given)} of ${what} is not an http or https URL: write it in full, such as "${example}".`,
  );
}
