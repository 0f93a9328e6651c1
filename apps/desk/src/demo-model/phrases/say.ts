import type { Language } from "../language.ts";
import { arabic } from "./arabic.ts";
import { dutch } from "./dutch.ts";
import { english } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";
import { italian } from "./italian.ts";
import { japanese } from "./japanese.ts";
import type { Phrases } from "./phrases.ts";
import { polish } from "./polish.ts";
import { portuguese } from "./portuguese.ts";
import { spanish } from "./spanish.ts";

const byLanguage: Readonly<Record<Language, Phrases>> = {
  ar: arabic,
  de: german,
  en: english,
  es: spanish,
  fr: french,
  it: italian,
  ja: japanese,
  nl: dutch,
  pl: polish,
  pt: portuguese,
};

/**
 * A sentence in a language.
 *
 * @param language - Of the mail that is answered.
 * @param phrase - Which sentence.
 * @param values - What goes into its braces.
 */
export function say(language: Language, phrase: keyof Phrases, values: Readonly<Record<string, string>> = {}): string {
  return byLanguage[language][phrase].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}

/** An amount in euro as the language writes it. */
export function sayAmount(language: Language, euro: number): string {
  return new Intl.NumberFormat(latinDigits(language), { style: "currency", currency: "EUR" }).format(euro);
}

/** A day as the language writes it. */
export function sayDay(language: Language, iso: string): string {
  return new Intl.DateTimeFormat(latinDigits(language), { dateStyle: "long", timeZone: "UTC" }).format(new Date(iso));
}

function latinDigits(language: Language): string {
  return language === "ar" ? "ar-u-nu-latn" : language === "en" ? "en-GB" : language;
}
