import type { SampleMail } from "../mail.ts";

export const wrongOrderNumber: SampleMail = {
  from: ["Sanne Oldekamp", "sanne@oldekamp.example"],
  subject: "Waar blijft mijn lantaarn?",
  body: `Hallo,

Mijn bestelling met nummer FH-99881 zou vorige week al komen, maar ik heb nog niets ontvangen. Kunnen jullie nakijken waar het pakket is?

Groetjes,
Sanne Oldekamp`,
};

export const deliveredButNotHere: SampleMail = {
  from: ["Joris van Eekelen", "joris@vaneekelen.example"],
  subject: "Pakket volgens bezorger bezorgd, maar niet hier",
  body: `Beste klantenservice,

Volgens de bezorger is bestelling FH-10205 bezorgd, maar hier ligt niets en de buren weten ook van niets. Ik heb de grill zaterdag nodig. Wat nu?

Met vriendelijke groet,
Joris van Eekelen`,
};

export const lateStove: SampleMail = {
  from: ["Wiesława Grodzicka", "w.grodzicka@poczta.example"],
  subject: "Reklamacja - spóźniona dostawa FH-10203",
  body: `Dzień dobry,

jestem bardzo rozczarowana. Zamówienie FH-10203 miało przyjść przed długim weekendem, przyszło po nim. Kuchenkę musieliśmy pożyczać od obcych ludzi na polu namiotowym. Obiecano mi przez telefon zwrot 15,00 EUR za opóźnienie i do dziś nic nie dostałam.

Proszę o zwrot tej kwoty.
Wiesława Grodzicka`,
};

export const coldSleepingBag: SampleMail = {
  from: ["Bożydar Lechowski", "bozydar.lechowski@poczta.example"],
  subject: "Zwrot śpiwora",
  body: `Witam,

odesłałem dziś śpiwór z zamówienia FH-10184, szwy puszczają i puch wychodzi garściami. Proszę o zwrot całej kwoty 212,00 EUR na konto, z którego płaciłem.

Pozdrawiam
B. Lechowski`,
};

export const polesInSwedish: SampleMail = {
  from: ["Ylva Stenmark-Lund", "ylva@stenmarklund.example"],
  subject: "Stavarna, order FH-10217",
  body: `Hej!

Jag undrar när stavarna i order FH-10217 kommer fram. Vi åker till fjällen på torsdag.

Vänliga hälsningar
Ylva Stenmark-Lund`,
};
