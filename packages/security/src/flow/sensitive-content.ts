import { findPii } from "../pii/find-pii.ts";
import type { ReadResult } from "./flow-state.ts";
import { wordsOfName } from "./guess-words.ts";
import { leavesOf, nameOf } from "./leaves.ts";
import { textOf } from "./question-text.ts";

/** Keys and tokens by their form. */
const keyForms: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/u,
  /(?<![\p{L}\p{N}])(?:sk|pk|rk|ghp|gho|ghs|github_pat|xox[abpr]|glpat|AKIA|ASIA|AIza)[-_A-Za-z0-9]{12,200}/u,
  /(?<![\p{L}\p{N}])eyJ[\w-]{8,2000}\.[\w-]{8,2000}\.[\w-]{8,2000}/u,
];

/** A password or a code behind its name. */
const namedSecret =
  /(?:password|passwort|passcode|passphrase|kennwort|mot de passe|contraseña|senha|lösenord|hasło|şifre|wachtwoord|парол|密码|パスワード|api[ _-]?key|secret key|cvv|cvc|pin code)\p{L}{0,4}[^\p{L}\p{N}]{1,5}(?:\p{L}{1,5} )?\S{3}/iu;

/** The number of a document behind its name. */
const namedDocument =
  /(?:passport|reisepass|passeport|pasaporte|passaporto|passaporte|identity card|ssn|social security)[^\n\d]{0,30}(?=[A-Z]*\d)[A-Z\d]{6,12}(?![\p{L}\p{N}])/iu;

/** Words of fields with secrets and documents. */
const secretFields: ReadonlySet<string> = new Set(
  "password passwort passcode passphrase secret token apikey cvv cvc pin passport ssn".split(" "),
);

/** True if the name of a field says that it has a secret or the number of a document. */
export function isSecretField(location: string): boolean {
  return wordsOfName(nameOf(location)).some((word) => secretFields.has(word));
}

/** Shortest value of such a field that a text is searched for. */
const shortestSecret = 4;

/**
 * [questions.sensitive] Names the kind of secret or document that a text has: by its form, behind its name, or as a field
 * of that name in a result of the run.
 */
export function sensitiveIn(text: string, reads: readonly ReadResult[]): string | undefined {
  const [found] = findPii(text, new Set(["credit-card", "us-ssn"]));
  if (found !== undefined) return found.kind === "us-ssn" ? "a social security number" : "a card number";
  if (keyForms.some((form) => form.test(text))) return "a key";
  if (namedDocument.test(text)) return "the number of an identity document";
  if (namedSecret.test(text)) return "a password";
  const isSecret = reads.some(({ call }) =>
    leavesOf(call.output ?? null).some(({ location, value }) => {
      const secret = textOf(value);
      return isSecretField(location) && secret.length >= shortestSecret && text.includes(secret);
    }),
  );
  return isSecret ? "a secret of an earlier result" : undefined;
}
