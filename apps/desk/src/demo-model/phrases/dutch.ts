import type { Phrases } from "./phrases.ts";

export const dutch: Phrases = {
  greeting: "Beste {name},",
  sorry: "Wat vervelend dat dit misging.",
  placed: "Je bestelling {order} ({items}) is bij ons binnen en nog niet ingepakt.",
  shipped:
    "Je bestelling {order} ({items}) is op {day} met {carrier} uit ons magazijn vertrokken. Het volgnummer is {tracking}.",
  delivered: "Je bestelling {order} ({items}) is volgens {carrier} op {day} bezorgd, volgnummer {tracking}.",
  cancelled: "Je bestelling {order} ({items}) is geannuleerd.",
  refundDone:
    "We hebben {amount} voor bestelling {order} terugbetaald. Het staat binnen drie tot vijf werkdagen op de rekening waarmee je betaalde.",
  refundRefused:
    "We kunnen bestelling {order} niet zomaar terugbetalen zoals je vraagt. Een collega kijkt ernaar en schrijft je.",
  refundTooMuch:
    "Bestelling {order} kostte in totaal {total}; meer kunnen we niet terugbetalen. Wil je dit bedrag terug, laat het ons weten.",
  refundedBefore:
    "We hebben al {amount} voor bestelling {order} terugbetaald. Is het niet aangekomen, vraag het dan eerst na bij je bank.",
  notYours:
    "Bestelling {order} is met een ander e-mailadres geplaatst. Schrijf ons vanaf dat adres, dan helpen we je graag.",
  unknownOrder: "We vinden geen bestelling met nummer {order}.",
  foundInstead: "Bedoel je misschien je bestelling {order}?",
  askNumber: "Kun je ons het bestelnummer sturen? Het begint met FH en staat in de bevestigingsmail.",
  product: "{product}: {description} Prijs: {price}; {stock} op voorraad.",
  missing: "We vragen bij de bezorger na waar het pakket is, en een collega schrijft je uiterlijk morgen.",
  colleague: "Een collega kijkt hier persoonlijk naar en schrijft je.",
  signature: "Met vriendelijke groet\nKlantenservice Fernhollow",
};
