/** The languages that the demo model writes. */
export type Language = "ar" | "de" | "en" | "es" | "fr" | "it" | "ja" | "nl" | "pl" | "pt";

/** Frequent short words that tell the languages in Latin script apart. */
const words: Readonly<Record<Exclude<Language, "ar" | "ja">, readonly string[]>> = {
  de: ["ich", "und", "der", "die", "das", "nicht", "ist", "mit", "bitte", "aus", "eine", "sie", "wir", "grüße", "guten", "haben"],
  en: ["the", "and", "you", "please", "is", "my", "for", "with", "have", "it", "your", "this", "of", "thank", "thanks", "hi"],
  es: ["el", "los", "las", "está", "pedido", "por", "favor", "hola", "gracias", "una", "y", "dos", "saludo", "buenos", "que", "su"],
  fr: ["le", "les", "des", "est", "nous", "vous", "bonjour", "commande", "merci", "une", "et", "pour", "cordialement", "je", "votre", "la"],
  it: ["il", "gli", "di", "è", "ordine", "grazie", "buongiorno", "salve", "per", "non", "sono", "della", "dell", "vorrei", "che", "su"],
  nl: ["het", "een", "ik", "niet", "maar", "bestelling", "groet", "groetjes", "van", "nog", "jullie", "hier", "beste", "mijn", "de", "ligt"],
  pl: ["się", "proszę", "zwrot", "jest", "dzień", "dobry", "nie", "zamówienie", "zamówienia", "na", "witam", "pozdrawiam", "z", "do", "za", "przed"],
  pt: ["não", "uma", "encomenda", "olá", "obrigado", "obrigada", "boa", "tarde", "foi", "ao", "há", "queria", "quero", "da", "minha", "em"],
};

/** Words of languages that it can recognise but not write. */
const otherWords = ["jag", "och", "hej", "när", "vänliga", "hälsningar", "jeg", "ikke", "hvornår", "mvh", "että", "kiitos", "děkuji", "köszönöm"];

/**
 * The language of a text, or `null` when it is none that the demo model writes.
 *
 * @param text - A mail's subject and body.
 */
export function detectLanguage(text: string): Language | null {
  if (/[\u3040-\u30ff]/u.test(text)) return "ja";
  if (/[\u0600-\u06ff]/u.test(text)) return "ar";
  const found = text.toLocaleLowerCase("en").match(/\p{L}+/gu) ?? [];
  const count = (list: readonly string[]): number => found.filter((word) => list.includes(word)).length;
  let best: { language: Language | null; score: number } = { language: null, score: count(otherWords) };
  for (const [language, list] of Object.entries(words) as [Exclude<Language, "ar" | "ja">, readonly string[]][]) {
    const score = count(list);
    if (score > best.score) best = { language, score };
  }
  return best.score === 0 ? "en" : best.language;
}
