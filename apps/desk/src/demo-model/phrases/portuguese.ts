import type { Phrases } from "./phrases.ts";

export const portuguese: Phrases = {
  greeting: "Olá, {name},",
  sorry: "Lamentamos o sucedido.",
  placed: "A sua encomenda {order} ({items}) está registada e ainda não foi embalada.",
  shipped:
    "A sua encomenda {order} ({items}) saiu do nosso armazém a {day} com a {carrier}. O número de seguimento é {tracking}.",
  delivered: "A sua encomenda {order} ({items}) foi entregue a {day} pela {carrier}, número de seguimento {tracking}.",
  cancelled: "A sua encomenda {order} ({items}) está cancelada.",
  refundDone:
    "Reembolsámos {amount} da encomenda {order}. O valor chega à conta com que pagou em três a cinco dias úteis.",
  refundRefused:
    "Não podemos reembolsar a encomenda {order} como pede. Um colega está a ver o assunto e vai escrever-lhe.",
  refundTooMuch:
    "A encomenda {order} custou {total} no total, pelo que não podemos reembolsar mais. Se desejar esse valor, escreva-nos.",
  refundedBefore: "Já reembolsámos {amount} da encomenda {order}. Se não chegou, pergunte primeiro ao seu banco.",
  notYours: "A encomenda {order} foi feita com outro endereço de e-mail. Escreva-nos desse endereço e ajudamos.",
  unknownOrder: "Não encontramos nenhuma encomenda com o número {order}.",
  foundInstead: "Será a sua encomenda {order}?",
  askNumber: "Pode enviar-nos o número da encomenda? Começa por FH e está no e-mail de confirmação.",
  product: "{product}: {description} Custa {price}; {stock} em stock.",
  missing: "Vamos perguntar à transportadora e um colega escreve-lhe até amanhã.",
  colleague: "Um colega trata disto pessoalmente e vai escrever-lhe.",
  signature: "Com os melhores cumprimentos\nApoio ao cliente Fernhollow",
};
