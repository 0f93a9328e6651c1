/** A secret without a string, JSON or inspect form. */
export interface SecretValue {
  /** Name of the secret, which is not secret itself. */
  readonly name: string;
  /**
   * Passes the value to `fn`, and only to it.
   *
   * @param fn - Receives the value, and returns the result of `use`. Do not return or log the value.
   */
  use<T>(fn: (value: string) => T): T;
  /**
   * A marker that `ctx.fetch` replaces for the bound hosts only; `{}` in the template is the place of the value.
   *
   * @param template - Text of the header; default `{}`, the value alone. `Bearer {}` puts the word before it.
   */
  header(template?: string): string;
  /** Returns the value itself. Each call is audited; the first call of a tool logs a warning. */
  reveal(): string;
}

/** A tool's access to its secrets. */
export interface SecretAccess {
  /**
   * @param name - Name of the secret, which the tool lists in `secrets`.
   * @throws SecretAccessDeniedError when the tool's `secretsAllowed` does not name the secret; audited.
   */
  require(name: string): Promise<SecretValue>;
}

/** A source of secrets. None is enabled by default. */
export interface SecretSource {
  /** The name in errors, such as `env`. */
  readonly name: string;
  /**
   * True if the source declares a name; called at registration.
   *
   * @param name - Name of the secret.
   */
  has(name: string): boolean;
  /**
   * @param name - Name of the secret.
   * @throws SecretNotFoundError when the secret is declared but has no value.
   */
  get(name: string): Promise<string> | string;
  /**
   * Hosts that a secret may be sent to; none when undefined.
   *
   * @param name - Name of the secret.
   */
  hosts?(name: string): readonly string[] | undefined;
}
