/** The request of a mail, recognized by keywords. */
export type Intent =
  | "spam"
  | "refund"
  | "missing"
  | "cancel"
  | "exchange"
  | "invoice"
  | "address"
  | "status"
  | "product"
  | "thanks"
  | "unknown";

/** The first match wins. */
const keywords: readonly (readonly [Intent, RegExp])[] = [
  [
    "spam",
    /unsubscribe|backlink|guaranteed|seo\b|gewonnen|gutschein|jetzt abmelden|lottery|has ganado|vous avez gagné/i,
  ],
  ["missing", /bezorgd, maar|says (it was )?delivered|zugestellt, aber|livré, mais|entregado, pero|consegnato, ma/i],
  ["cancel", /\bcancel|stornier|annul(er|ar|are|eren|ować)|odwołać|キャンセル|إلغاء/i],
  [
    "exchange",
    /\bexchange|umtausch|échang|\bcambi(o|ar|are|arli)\b|\bruilen|wymian|\btrocar|交換|استبدال|too small|too big|zu klein|troppo piccol/i,
  ],
  [
    "refund",
    /refund|money back|erstatt|zurückzahl|rembours|reembols|reembólsen|rimbors|terugbetal|geld terug|zwrot|devoluç|返金|استرداد/i,
  ],
  ["invoice", /invoice|rechnung|facture|factura|fattura|factuur|faktur|fatura|請求書|فاتورة/i],
  [
    "address",
    /(new|another|wrong|different) (delivery )?address|adressänderung|changement d'adresse|nieuw adres|cambio de dirección|住所変更/i,
  ],
  [
    "status",
    /\bwhere\b|on its way|has .* left|track|wo (ist|bleibt)|où (est|en est)|dónde|dov'è|waar (blijft|is)|gdzie|onde está|när|配送状況|いつ頃届く|متى|أين/i,
  ],
  [
    "product",
    /waterproof|impermeable|in stock|en stock|em stock|auf lager|op voorraad|na stanie|quanto custa|how much|wie viel|warranty|garan[tz]i[ae]|guarantee|在庫|question about|frage zu|pregunta|domanda|opening hours|open on/i,
  ],
  ["thanks", /thank you|thanks|\bmerci\b|danke|gracias|grazie|bedankt|dziękuję|obrigad|ありがとう|شكرا/i],
];

/**
 * The request of a mail.
 *
 * @param text - Subject and body.
 */
export function detectIntent(text: string): Intent {
  for (const [intent, pattern] of keywords) if (pattern.test(text)) return intent;
  return /\bFH-\d{5}\b/i.test(text) ? "status" : "unknown";
}
