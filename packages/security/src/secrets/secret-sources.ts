import type * as FileSystem from "node:fs/promises";
import type * as Keyring from "@napi-rs/keyring";
import { ConfigurationError, checkArgument, checkKnownNames } from "@bailiwick/core";
import type { SecretSource } from "@bailiwick/core";

import { nodeModule } from "../net/node-module.ts";
import { SecretNotFoundError } from "./secret-errors.ts";

type Environment = Readonly<Record<string, string | undefined>>;

function processEnvironment(): Environment {
  return (globalThis as { readonly process?: { readonly env?: Environment } }).process?.env ?? {};
}

/** Source of one secret: an environment variable, a file, the system's keyring, or a function. */
export type SecretReference =
  | `env:${string}`
  | `file:${string}`
  | `keyring:${string}/${string}`
  | (() => string | Promise<string>);

/** A reference with the hosts that the secret may be sent to. */
export interface BoundSecret {
  /** The place where the secret is read. */
  readonly from: SecretReference;
  /** Hosts that the secret may be sent to, such as `api.example.com` or `*.example.com`. */
  readonly hosts?: readonly string[] | undefined;
}

function fromEnvironment(name: string, variable: string, environment: Environment): string {
  const value = environment[variable];
  if (value === undefined || value === "") {
    throw new SecretNotFoundError(
      name,
      `The secret "${name}" is read from the environment variable ${variable}, which is not set.`,
    );
  }
  return value;
}

async function fromFile(name: string, path: string): Promise<string> {
  let value: string;
  try {
    const { readFile } = nodeModule<typeof FileSystem>("node:fs/promises", "A secret in a file");
    value = (await readFile(path, "utf8")).replace(/\r?\n$/, "");
  } catch (error) {
    throw new SecretNotFoundError(
      name,
      `The secret "${name}" is read from the file ${path}, which cannot be read: ${(error as Error).message}. Allow this process to read it, or name another place.`,
      error,
    );
  }
  if (value === "")
    throw new SecretNotFoundError(name, `The secret "${name}" is read from the file ${path}, which is empty.`);
  return value;
}

async function fromKeyring(name: string, place: string): Promise<string> {
  const slash = place.indexOf("/");
  const service = place.slice(0, slash);
  const account = place.slice(slash + 1);
  let value: string | null;
  try {
    // The name is computed: a bundler must not bundle a module that most applications do not install.
    const library = "@napi-rs/keyring";
    const { Entry } = (await import(/* @vite-ignore */ library)) as typeof Keyring;
    value = new Entry(service, account).getPassword();
  } catch (error) {
    throw new SecretNotFoundError(
      name,
      `The secret "${name}" is read from the system's keyring (${service}, ${account}), which cannot be used here: ${(error as Error).message}. Install @napi-rs/keyring and unlock the keyring, or read the secret with "env:" or "file:".`,
      error,
    );
  }
  if (value === null)
    throw new SecretNotFoundError(
      name,
      `The system's keyring has no entry for ${service}, ${account} (secret "${name}").`,
    );
  return value;
}

function read(name: string, reference: SecretReference): string | Promise<string> {
  if (typeof reference === "function") return reference();
  if (reference.startsWith("env:")) return fromEnvironment(name, reference.slice(4), processEnvironment());
  if (reference.startsWith("file:")) return fromFile(name, reference.slice(5));
  return fromKeyring(name, reference.slice(8));
}

function checkReference(name: string, reference: unknown): void {
  const valid =
    typeof reference === "function" ||
    (typeof reference === "string" && /^(?:env:.+|file:.+|keyring:[^/]+\/.+)$/.test(reference));
  if (!valid) {
    throw new ConfigurationError(
      "INVALID_SECRET_REFERENCE",
      `The secret "${name}" needs a reference such as "env:VARIABLE", "file:/path", "keyring:service/account" or a function.`,
    );
  }
}

/**
 * Declares secrets by name, each with where it is read from and the hosts it may be sent to.
 *
 * @param declared - References by name.
 * @returns a source for `Agent({ secrets })`.
 * @throws ConfigurationError `INVALID_SECRET_REFERENCE` for a reference of no known kind, `UNKNOWN_OPTION` for a name
 *   beside `from` and `hosts`.
 *
 * @example
 * ```ts
 * import { secrets } from "@bailiwick/security";
 *
 * export const source = secrets({
 *   PAYMENTS_KEY: { from: "env:PAYMENTS_API_KEY", hosts: ["api.payments.example"] },
 *   DATABASE_URL: "file:/run/secrets/database-url",
 * });
 * ```
 */
export function secrets(declared: Readonly<Record<string, SecretReference | BoundSecret>>): SecretSource {
  checkArgument(declared, "object", "secrets({ NAME: value })");
  const references = new Map<string, BoundSecret>();
  for (const [name, given] of Object.entries(declared)) {
    const bound = typeof given === "object" ? given : { from: given };
    // A misspelt "hosts" would allow every host.
    checkKnownNames(bound, ["from", "hosts"], `secrets({ ${name} })`);
    checkReference(name, bound.from);
    references.set(name, bound);
  }
  const lookUp = (name: string): BoundSecret => {
    const bound = references.get(name);
    if (bound === undefined)
      throw new SecretNotFoundError(name, `No secret "${name}" is declared. Declare it in secrets({ … }).`);
    return bound;
  };
  return {
    name: "secrets",
    has: (name) => references.has(name),
    get: (name) => read(name, lookUp(name).from),
    hosts: (name) => references.get(name)?.hosts,
  };
}

/**
 * Takes secrets from the process environment, by the variable's own name.
 *
 * @param options - `hosts` binds names to the hosts they may be sent to; `from` replaces the process environment.
 * @returns a source that declares every variable that is set.
 * @throws ConfigurationError `UNKNOWN_OPTION` for another name.
 *
 * @example
 * ```ts
 * import { env } from "@bailiwick/security";
 *
 * export const source = env({ hosts: { PAYMENTS_KEY: ["api.payments.example"] } });
 * ```
 */
export function env(
  options: {
    readonly hosts?: Readonly<Record<string, readonly string[]>> | undefined;
    readonly from?: Environment | undefined;
  } = {},
): SecretSource {
  checkKnownNames(options, ["hosts", "from"], "env()");
  const environment = (): Environment => options.from ?? processEnvironment();
  return {
    name: "env",
    has: (name) => environment()[name] !== undefined,
    get: (name) => fromEnvironment(name, name, environment()),
    hosts: (name) => options.hosts?.[name],
  };
}

/**
 * Takes secrets from a folder with one file per secret, as container platforms mount them.
 *
 * @param names - Names of the files that are secrets.
 * @param folder - Absolute path of the folder; default `/run/secrets`.
 *
 * @example
 * ```ts
 * import { file } from "@bailiwick/security";
 *
 * export const source = file(["PAYMENTS_KEY"]);
 * ```
 */
export function file(names: readonly string[], folder = "/run/secrets"): SecretSource {
  checkArgument(names, "array", 'file(["NAME"])');
  return {
    ...secrets(Object.fromEntries(names.map((name) => [name, `file:${folder}/${name}` as const]))),
    name: `file:${folder}`,
  };
}

/**
 * Takes secrets from the system's keyring, one account per name. Needs the package `@napi-rs/keyring`.
 *
 * @param service - Service that the accounts belong to.
 * @param names - Accounts that are secrets.
 *
 * @example
 * ```ts
 * import { keyring } from "@bailiwick/security";
 *
 * export const source = keyring("support-desk", ["PAYMENTS_KEY"]);
 * ```
 */
export function keyring(service: string, names: readonly string[]): SecretSource {
  checkArgument(names, "array", 'keyring("service", ["NAME"])');
  return {
    ...secrets(Object.fromEntries(names.map((name) => [name, `keyring:${service}/${name}` as const]))),
    name: `keyring:${service}`,
  };
}
