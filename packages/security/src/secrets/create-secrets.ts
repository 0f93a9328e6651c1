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
 */
export function secretsFactory(options: SecretsOptions = {}): SecretsFactory {
  return (source: SecretSource): SecretsPort => {
    const scrubber = createScrubber();
    scrubCrashes(scrubber);
    const loads = new Map<string, Promise<void>>();
    const warned = new Set<string>();

    const know = (name: string, value: string): void => {
      const found = scrubber.add(name, value);
      if (found || warned.has(`short:${name}`)) return;
      warned.add(`short:${name}`);
      (options.logger ?? console).warn(
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
    const warnOnce = (toolName: string, name: string): void => {
      if (warned.has(toolName)) return;
      warned.add(toolName);
      (options.logger ?? console).warn(
        `Tool "${toolName}" reveals the secret "${name}" as text. Prefer secret.use((value) => …) or secret.header() with ctx.fetch; reveals are audited.`,
      );
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
                warnOnce(toolName, name);
              },
            });
          },
        });
        const over = (send: typeof fetch): typeof fetch =>
          async function substituted(input, init) {
            return resolved.size === 0
              ? send(input, init)
              : egress((part) => part.egressFetch([...resolved.values()], send)(input, init));
          };
        return { secrets, fetch: fetchThatCanGoOver(over, options.fetch) };
      },
      scrub: (value) => scrubber.scrub(value),
      textScrubber: () => scrubber.stream(),
      holdsSecret: (value) => scrubber.holds(value),
    };
  };
}
