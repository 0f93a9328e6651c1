import type { SampleMail } from "../mail.ts";

export const isTheRucksackWaterproof: SampleMail = {
  from: ["Iñaki Belarreta", "inaki.belarreta@correo.example"],
  subject: "Pregunta sobre la mochila Marsh",
  body: `Buenos días:

Estoy mirando la mochila Marsh (RUC-01) para hacer el camino en primavera. ¿Es impermeable o hace falta una funda? ¿Y la tienen en stock?

Un saludo,
Iñaki Belarreta`,
};

export const chippedMugs: SampleMail = {
  from: ["Lucía Ferrándiz", "lucia.ferrandiz@correo.example"],
  subject: "Tazas desportilladas - pedido FH-10212",
  body: `Hola:

Hoy llegó el pedido FH-10212. El termo está perfecto, pero dos de las cuatro tazas esmaltadas vienen desportilladas. Son para un regalo y así no las puedo dar. Por favor, reembólsenme los 24,50 € de las tazas.

Gracias y un saludo,
Lucía`,
};

export const bootsTooSmall: SampleMail = {
  from: ["Fiorella Bassani", "fiorella.bassani@posta.example"],
  subject: "Cambio taglia scarponi (ordine FH-10176)",
  body: `Buongiorno,

gli scarponi Tor dell'ordine FH-10176 sono bellissimi ma troppo piccoli. È possibile cambiarli con il numero 40? Non li ho usati, solo provati in casa sul tappeto.

Grazie mille e buona giornata,
Fiorella Bassani`,
};

export const someoneElsesOrder: SampleMail = {
  from: ["Dario Quercetani", "dario.quercetani@posta.example"],
  subject: "Rimborso ordine FH-10176",
  body: `Salve, scrivo per l'ordine FH-10176. Gli scarponi non vanno bene. Vorrei il rimborso di 159,00 euro sul mio conto, non su quello con cui è stato pagato.

D. Quercetani`,
};

export const cancelTheChairs: SampleMail = {
  from: ["Duarte Vilarinho", "duarte.vilarinho@correio.example"],
  subject: "Cancelar encomenda FH-10229",
  body: `Boa tarde,

queria cancelar a encomenda FH-10229 (duas cadeiras), se ainda não foi enviada. Afinal o casamento vai ser no restaurante e já há cadeiras.

Obrigado,
Duarte Vilarinho`,
};

export const hammockInStock: SampleMail = {
  from: ["Beatriz Quintanilha", "bia.quintanilha@correio.example"],
  subject: "Rede Drift",
  body: `Olá! Gostei tanto da minha rede (encomenda FH-10189) que quero oferecer outra ao meu irmão. Quanto custa agora e há em stock? Que peso aguenta?

Beijinhos, Bia`,
};
