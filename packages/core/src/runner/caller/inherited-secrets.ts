import type { SecretsPort } from "../../contracts/ports/security.ts";
import type { TextFilter } from "../../contracts/ports/text-filter.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";

/**
 * The secrets of an agent that runs inside a call of another run: its tools reach its own secrets, and the known
 * secrets of both agents are scrubbed, since the outer run shows and stores the inner run's output too.
 *
 * @param own - Secrets of the inner agent.
 * @param outer - Secrets of the outer run.
 */
export function inheritedSecrets(
  own: SecretsPort | undefined,
  outer: SecretsPort | undefined,
): SecretsPort | undefined {
  if (outer === undefined || outer === own) return own;
  return {
    check: (toolName, names) => own?.check(toolName, names),
    async ready() {
      await Promise.all([own?.ready(), outer.ready()]);
    },
    accessFor: (call) => own?.accessFor(call) ?? accessWithoutSource(call.toolName),
    scrub: (value) => outer.scrub(own?.scrub(value) ?? value),
    textScrubber: () => chained([own?.textScrubber(), outer.textScrubber()]),
    holdsSecret: (value) => own?.holdsSecret(value) === true || outer.holdsSecret(value),
  };
}

/** Secrets of a tool whose agent has no source of secrets. */
export function accessWithoutSource(toolName: string, runId?: string): ReturnType<SecretsPort["accessFor"]> {
  return {
    fetch: globalThis.fetch,
    secrets: {
      require: (name) =>
        Promise.reject(
          new BailiwickError(
            "SECRET_SOURCE_MISSING",
            `Tool "${toolName}" asked for the secret "${name}", and the agent has no source of secrets. Give it one, such as secrets: env(), and name the secret in the tool's secretsAllowed.`,
            { runId },
          ),
        ),
    },
  };
}

export function chained(filters: readonly (TextFilter | undefined)[]): TextFilter {
  const used = filters.filter((one) => one !== undefined);
  return {
    push: (text) => used.reduce((current, filter) => filter.push(current), text),
    end: () => used.reduce((current, filter) => (current === "" ? "" : filter.push(current)) + filter.end(), ""),
  };
}
