import { askUserCode, systemClock } from "@bailiwick/core/extension";
import { OAuthClientFlowError } from "@modelcontextprotocol/client";

/** Longest wait for a function that returns a credential, in milliseconds. */
const longestWaitMs = 30_000;

/**
 * Calls the function of an option that returns a credential, such as an assertion.
 *
 * @param name - The option that contains the function, for the error.
 * @throws OAuthClientFlowError if it fails, does not settle within 30 seconds, or returns no text: nothing is sent then.
 */
export async function credentialOf(name: string, call: () => unknown): Promise<string> {
  const answer = await askUserCode(call, { name, timeoutMs: longestWaitMs, clock: systemClock });
  if (answer.ok && typeof answer.value === "string" && answer.value.trim() !== "") return answer.value;
  const why = answer.ok ? "it returned no text" : answer.error.message;
  throw Object.assign(
    new OAuthClientFlowError(`"${name}" gave no credential: ${why}`),
    answer.ok ? {} : { cause: answer.error },
  );
}
