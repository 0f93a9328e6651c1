import type { Phrases } from "./phrases.ts";

export const german: Phrases = {
  greeting: "Guten Tag {name},",
  sorry: "es tut uns leid, dass hier etwas schiefgegangen ist.",
  placed: "Ihre Bestellung {order} ({items}) liegt uns vor und ist noch nicht gepackt.",
  shipped:
    "Ihre Bestellung {order} ({items}) hat unser Lager am {day} mit {carrier} verlassen. Die Sendungsnummer ist {tracking}.",
  delivered: "Ihre Bestellung {order} ({items}) wurde am {day} von {carrier} zugestellt, Sendungsnummer {tracking}.",
  cancelled: "Ihre Bestellung {order} ({items}) ist storniert.",
  refundDone:
    "Wir haben {amount} für die Bestellung {order} erstattet. Das Geld ist in drei bis fünf Werktagen auf dem Konto, mit dem Sie bezahlt haben.",
  refundRefused:
    "Die Erstattung für die Bestellung {order} können wir so nicht vornehmen. Ein Kollege sieht sich das an und meldet sich bei Ihnen.",
  refundTooMuch:
    "Die Bestellung {order} hat insgesamt {total} gekostet, mehr können wir nicht erstatten. Wenn Sie diesen Betrag möchten, schreiben Sie uns bitte.",
  refundedBefore:
    "Für die Bestellung {order} haben wir bereits {amount} erstattet. Ist das Geld nicht angekommen, fragen Sie bitte zuerst bei Ihrer Bank nach.",
  notYours:
    "Die Bestellung {order} wurde mit einer anderen E-Mail-Adresse aufgegeben. Bitte schreiben Sie uns von dieser Adresse, dann helfen wir gern.",
  unknownOrder: "Eine Bestellung mit der Nummer {order} finden wir nicht.",
  foundInstead: "Meinen Sie vielleicht Ihre Bestellung {order}?",
  askNumber: "Könnten Sie uns die Bestellnummer schicken? Sie beginnt mit FH und steht in der Bestellbestätigung.",
  product: "{product}: {description} Preis: {price}; {stock} auf Lager.",
  missing: "Wir fragen beim Paketdienst nach, und ein Kollege schreibt Ihnen bis morgen.",
  colleague: "Ein Kollege kümmert sich persönlich darum und schreibt Ihnen.",
  signature: "Mit freundlichen Grüßen\nFernhollow Kundendienst",
};
