import { BailiwickError, ConfigurationError } from "@bailiwick/core";

/** A tool asked for a secret that its `secretsAllowed` does not name. */
export class SecretAccessDeniedError extends BailiwickError {
  /** Name of the secret. */
  readonly secretName: string;
  /** Name of the tool that asked for it. */
  readonly toolName: string;

  constructor(secretName: string, toolName: string) {
    super(
      "SECRET_ACCESS_DENIED",
      `Tool "${toolName}" asked for the secret "${secretName}", which its secretsAllowed does not name. Add "${secretName}" to secretsAllowed if the tool is meant to have it.`,
    );
    this.secretName = secretName;
    this.toolName = toolName;
  }
}

/** A tool names a secret that no source declares; thrown when the tool is registered. */
export class UnknownSecretError extends ConfigurationError {
  /** Name of the secret. */
  readonly secretName: string;
  /** Name of the tool that lists it. */
  readonly toolName: string;

  constructor(secretName: string, toolName: string, sourceName: string) {
    super(
      "UNKNOWN_SECRET",
      `Tool "${toolName}" names the secret "${secretName}" in secretsAllowed, but the source "${sourceName}" does not declare it. Declare it there, or remove the name.`,
    );
    this.secretName = secretName;
    this.toolName = toolName;
  }
}

/** A source declares a secret, but has no value for it now. */
export class SecretNotFoundError extends BailiwickError {
  /** Name of the secret. */
  readonly secretName: string;

  constructor(secretName: string, message: string, cause?: unknown) {
    super("SECRET_NOT_FOUND", message, cause === undefined ? undefined : { cause });
    this.secretName = secretName;
  }
}

/** A secret's marker was sent to a host that it is not bound to; nothing was sent. */
export class SecretHostDeniedError extends BailiwickError {
  /** Name of the secret. */
  readonly secretName: string;
  /** Host to which it was to be sent. */
  readonly host: string;

  constructor(secretName: string, host: string, bound: readonly string[]) {
    super(
      "SECRET_HOST_DENIED",
      `The secret "${secretName}" may not be sent to "${host}": it is bound to ${bound.length === 0 ? "no host" : bound.join(", ")}. Name the host where the secret is declared, as in { from: "env:…", hosts: ["${host}"] }.`,
    );
    this.secretName = secretName;
    this.host = host;
  }
}

/** A secret was used as text. */
export class SecretFormError extends BailiwickError {
  constructor(secretName: string) {
    super(
      "SECRET_HAS_NO_TEXT",
      `The secret "${secretName}" has no text form. Use secret.use((value) => …), or secret.header() with ctx.fetch.`,
    );
  }
}
