import type { SampleMail } from "../mail.ts";

export const brokenTentPoles: SampleMail = {
  from: ["Éloïse Tarnier", "eloise.tarnier@courrier.example"],
  subject: "Tente Larkspur : arceau cassé dès la première nuit",
  body: `Bonjour,

Nous avons monté la tente de la commande FH-10191 samedi pour la première fois. Un arceau a cassé net et a déchiré la toile. Le groupe a fini la nuit dans la grange, inutile de vous dire l'ambiance...

Je vous demande le remboursement intégral, soit 249,00 €. Je peux bien sûr renvoyer la tente à vos frais.

Cordialement,
Éloïse Tarnier`,
};

export const invoiceForTheWorkshop: SampleMail = {
  from: ["Gaspard Lemerle", "gaspard@atelier-lemerle.example"],
  subject: "Copie de facture",
  body: `Bonjour,

mon comptable réclame la facture de la table et des deux lanternes, au nom de l'atelier. Vous trouverez le bon de commande en pièce jointe. Pouvez-vous me l'envoyer avant la fin du mois ?

Merci d'avance,
Gaspard Lemerle
Atelier Lemerle`,
  attachments: [
    [
      "bon-de-commande.txt",
      `ATELIER LEMERLE - BON DE COMMANDE 2026-44
Fournisseur : Fernhollow
Votre référence : FH-10168
1 x table pliante        84,00
2 x lanterne             90,00
Total                   174,00 EUR`,
    ],
  ],
};

export const merci: SampleMail = {
  from: ["Flavie Chantereau", "flavie.chantereau@courrier.example"],
  subject: "Merci !",
  body: `Bonjour à toute l'équipe,

un grand merci pour votre réponse si rapide et pour le petit mot dans le colis. Bonne continuation !

Flavie`,
};
