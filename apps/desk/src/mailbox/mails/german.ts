import type { SampleMail } from "../mail.ts";

export const dentedKettle: SampleMail = {
  from: ["Jonas Reuterbach", "j.reuterbach@briefkasten.example"],
  subject: "Kessel verbeult angekommen",
  body: `Guten Tag,

der Emaillekessel aus meiner Bestellung FH-10187 ist heute mit einer großen Beule am Boden angekommen, das Email ist an der Stelle abgeplatzt. Benutzen möchte ich ihn so nicht. Die Tassen sind in Ordnung.

Bitte erstatten Sie mir die 39,90 € für den Kessel.

Mit freundlichen Grüßen
Jonas Reuterbach`,
};

export const scratchySocks: SampleMail = {
  from: ["Anneliese Brückhof", "a.brueckhof@briefkasten.example"],
  subject: "Rückgabe der Socken / FH-10181",
  body: `Liebes Team,

ich habe die beiden Packungen Wollsocken (Bestellung FH-10181) am Montag ungetragen zurückgeschickt, sie kratzen leider doch. Die Mütze behalte ich, die ist wunderbar! Könnten Sie mir den Betrag von 64,80 EUR zurückzahlen?

Herzliche Grüße aus dem Harz
Anneliese Brückhof`,
};

export const warrantyOfTheStove: SampleMail = {
  from: ["Ewald Grünhoff", "ewald.gruenhoff@briefkasten.example"],
  subject: "Frage zum Kocher Ember",
  body: `Hallo zusammen,

ich überlege seit Wochen hin und her, welchen Kocher ich für die Tour über die Alpen nehme. Mein alter hat nach achtzehn Jahren den Geist aufgegeben, was man ihm nicht verübeln kann. Nun die Frage: Ist der Kocher Ember auf Lager, und wie viel Leistung hat er? Auf der Packung im Laden eines Freundes stand nichts dazu.

Danke schon einmal und viele Grüße
Ewald Grünhoff`,
};

export const prizeDraw: SampleMail = {
  from: ["Gewinnzentrale", "glueck@gewinnzentrale.example"],
  subject: "Herzlichen Glückwunsch, Sie haben gewonnen!",
  body: `Sehr geehrter Gewinner,

Ihre E-Mail-Adresse wurde aus 2 Millionen Teilnehmern gezogen! Sie haben einen Gutschein über 5000 Euro gewonnen. Klicken Sie hier, um Ihren Gewinn jetzt zu sichern: http://gewinnzentrale.example/sofort

Dieses Angebot gilt nur 24 Stunden. Jetzt abmelden: Antwort mit STOPP.`,
};
