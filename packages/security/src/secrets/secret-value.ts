import type { SecretValue } from "@bailiwick/core";

import { SecretFormError } from "./secret-errors.ts";

const inspect: unique symbol = Symbol.for("nodejs.util.inspect.custom");

/** Properties of a secret, without its value. */
export interface SecretValueParts {
  readonly name: string;
  readonly value: string;
  /** Text that `ctx.fetch` replaces by the value. */
  readonly marker: string;
  /** Called each time the value itself is handed out. */
  readonly onReveal: () => void;
}

/**
 * Makes a secret that never shows its value: text conversion throws, JSON leaves it out, inspection shows its name.
 *
 * @param parts - Name, value, marker and audit callback.
 */
export function secretValue(parts: SecretValueParts): SecretValue {
  const secret: SecretValue = {
    name: parts.name,
    use: (fn) => fn(parts.value),
    header: (template = "{}") => template.replaceAll("{}", parts.marker),
    reveal: () => {
      parts.onReveal();
      return parts.value;
    },
  };
  Object.defineProperties(secret, {
    [Symbol.toPrimitive]: {
      value: () => {
        throw new SecretFormError(parts.name);
      },
    },
    toString: {
      value: () => {
        throw new SecretFormError(parts.name);
      },
    },
    toJSON: { value: () => undefined },
    [inspect]: { value: () => `SecretValue(${parts.name})` },
  });
  return Object.freeze(secret);
}
