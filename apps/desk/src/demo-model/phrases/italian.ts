import type { Phrases } from "./phrases.ts";

export const italian: Phrases = {
  greeting: "Buongiorno {name},",
  sorry: "ci dispiace per l'accaduto.",
  placed: "Il suo ordine {order} ({items}) è registrato e non è ancora stato preparato.",
  shipped:
    "Il suo ordine {order} ({items}) ha lasciato il nostro magazzino il {day} con {carrier}. Il codice di tracciamento è {tracking}.",
  delivered:
    "Il suo ordine {order} ({items}) è stato consegnato il {day} da {carrier}, codice di tracciamento {tracking}.",
  cancelled: "Il suo ordine {order} ({items}) è annullato.",
  refundDone:
    "Abbiamo rimborsato {amount} per l'ordine {order}. L'importo arriverà sul conto usato per il pagamento entro tre-cinque giorni lavorativi.",
  refundRefused: "Non possiamo rimborsare l'ordine {order} come richiesto. Un collega sta verificando e le scriverà.",
  refundTooMuch:
    "L'ordine {order} è costato {total} in tutto: non possiamo rimborsare di più. Se desidera questo importo, ci scriva.",
  refundedBefore:
    "Abbiamo già rimborsato {amount} per l'ordine {order}. Se non è arrivato, chieda prima alla sua banca.",
  notYours:
    "L'ordine {order} è stato fatto con un altro indirizzo e-mail. Ci scriva da quell'indirizzo e la aiuteremo.",
  unknownOrder: "Non troviamo un ordine con il numero {order}.",
  foundInstead: "Si tratta forse del suo ordine {order}?",
  askNumber: "Può mandarci il numero d'ordine? Comincia con FH e si trova nella mail di conferma.",
  product: "{product}: {description} Costa {price}; {stock} disponibili.",
  missing: "Chiediamo al corriere dove si trova il pacco e un collega le scriverà entro domani.",
  colleague: "Un collega se ne occuperà di persona e le scriverà.",
  signature: "Cordiali saluti\nServizio clienti Fernhollow",
};
