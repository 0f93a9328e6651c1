import type { Phrases } from "./phrases.ts";

export const french: Phrases = {
  greeting: "Bonjour {name},",
  sorry: "Nous sommes désolés de ce désagrément.",
  placed: "Votre commande {order} ({items}) est bien enregistrée et n'est pas encore emballée.",
  shipped:
    "Votre commande {order} ({items}) a quitté notre entrepôt le {day} avec {carrier}. Le numéro de suivi est {tracking}.",
  delivered: "Votre commande {order} ({items}) a été livrée le {day} par {carrier}, numéro de suivi {tracking}.",
  cancelled: "Votre commande {order} ({items}) est annulée.",
  refundDone:
    "Nous avons remboursé {amount} pour la commande {order}. La somme arrivera sur le compte utilisé pour le paiement sous trois à cinq jours ouvrés.",
  refundRefused:
    "Nous ne pouvons pas rembourser la commande {order} en l'état. Un collègue examine la situation et vous écrira.",
  refundTooMuch:
    "La commande {order} s'élève à {total} en tout ; nous ne pouvons pas rembourser davantage. Si vous souhaitez ce montant, écrivez-nous.",
  refundedBefore:
    "Nous avons déjà remboursé {amount} pour la commande {order}. Si la somme n'est pas arrivée, adressez-vous d'abord à votre banque.",
  notYours:
    "La commande {order} a été passée avec une autre adresse e-mail. Écrivez-nous depuis cette adresse et nous vous aiderons.",
  unknownOrder: "Nous ne trouvons pas de commande portant le numéro {order}.",
  foundInstead: "S'agit-il peut-être de votre commande {order} ?",
  askNumber:
    "Pourriez-vous nous envoyer le numéro de commande ? Il commence par FH et figure dans le mail de confirmation.",
  product: "{product} : {description} Prix : {price} ; {stock} en stock.",
  missing: "Nous interrogeons le transporteur et un collègue vous écrira d'ici demain.",
  colleague: "Un collègue s'en occupe personnellement et vous écrira.",
  signature: "Cordialement\nLe service client de Fernhollow",
};
