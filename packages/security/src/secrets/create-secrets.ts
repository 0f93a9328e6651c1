import { checkKnownNames } from "@bailiwick/core";
import { lazyPart } from "@bailiwick/core/extension";
import type { Logger, SecretAccess, SecretsFactory, SecretsPort, SecretSource } from "@bailiwick/core";

import type { EgressSecret } from "./egress-fetch.ts";
import { scrubCrashes } from "./crash-output.ts";
import { fetchThatCanGoOver } from "./fetch-over.ts";
import { createScrubber } from "./scrubber.ts";
import { shortestSecret } from "./secret-forms.ts";
import { SecretAccessDeniedError, UnknownSecretError } from "./secret-errors.ts";
import { secretValue } from "./secret-value.ts";

/** Inserts secrets into requests; a call without secrets sends them unchanged. */
const egress = lazyPart("The sending of secrets", () => import("./egress-fetch.ts"));

/** Reporting and network access of secrets. */
export interface SecretsOptions {
  /** Receives the warnings about secrets. Default `console`. */
  readonly logger?: Pick<Logger, "warn"> | undefined;
  /** The `fetch` below `ctx.fetch`; default the global one. */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * Makes the secrets of an agent: access by tool, substitution at egress, scrubbing of every outlet.
 *
 * @param options - Reports and network access of secrets.
 * @throws ConfigurationError `UNKNOWN_OPTION` for another name.
 */
export function secretsFactory(options: SecretsOptions = {}): SecretsFactory {
  checkKnownNames(options, ["logger", "fetch"], "secretsFactory()");
  return (source: SecretSource): SecretsPort => {
    const scrubber = createScrubber();
    scrubCrashes(scrubber);
    const loads = new Map<string, Promise<void>>();
    const warned = new Set<string>();

    const warnOnce = (about: string, warning: string): void => {
      if (warned.has(about)) return;
      warned.add(about);
      (options.logger ?? console).warn(warning);
    };
    const know = (name: string, value: string): void => {
      if (scrubber.add(name, value)) return;
      warnOnce(
        `short:${name}`,
        `The secret "${name}" is too short to search for: it is not removed from results, logs and journals. Use one of ${shortestSecret} characters or more.`,
      );
    };
    const remember = (name: string): void => {
      if (loads.has(name)) return;
      const load = (async () => {
        const given = source.get(name);
        know(name, typeof given === "string" ? given : await given);
      })();
      load.catch(() => loads.delete(name));
      loads.set(name, load);
    };

    return {
      check(toolName, names) {
        for (const name of names) {
          if (!source.has(name)) throw new UnknownSecretError(name, toolName, source.name);
          remember(name);
        }
      },
      async ready() {
        await Promise.allSettled(loads.values());
      },
      accessFor({ toolName, toolCallId, allowed, record }) {
        const resolved = new Map<string, EgressSecret>();
        // Valid for this call only: a placeholder that reached a model means nothing in another call.
        let nonce: string | undefined;
        const secrets: SecretAccess = Object.freeze({
          async require(name: string) {
            if (!allowed.includes(name)) {
              record({ type: "secret.denied", name, toolName, toolCallId });
              throw new SecretAccessDeniedError(name, toolName);
            }
            const value = await source.get(name);
            know(name, value);
            nonce ??= crypto.randomUUID();
            const marker = `bailiwick-secret-${nonce}-${name}-`;
            resolved.set(name, { name, marker, value, hosts: source.hosts?.(name) ?? [] });
            return secretValue({
              name,
              value,
              marker,
              onReveal: () => {
                record({ type: "secret.revealed", name, toolName, toolCallId });
                warnOnce(
                  toolName,
                  `Tool "${toolName}" reveals the secret "${name}" as text. Prefer secret.use((value) => …) or secret.header() with ctx.fetch; reveals are audited.`,
                );
              },
            });
          },
        });
        const over =
          (send: typeof fetch): typeof fetch =>
          async (input, init) =>
            resolved.size === 0
              ? send(input, init)
              : egress((part) => part.egressFetch([...resolved.values()], send)(input, init));
        return { secrets, fetch: fetchThatCanGoOver(over, options.fetch) };
      },
      scrub: (value) => scrubber.scrub(value),
      textScrubber: () => scrubber.stream(),
      holdsSecret: (value) => scrubber.holds(value),
    };
  };
}
