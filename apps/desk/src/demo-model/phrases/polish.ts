import type { Phrases } from "./phrases.ts";

export const polish: Phrases = {
  greeting: "Dzień dobry, {name},",
  sorry: "przepraszamy za tę sytuację.",
  placed: "Zamówienie {order} ({items}) jest u nas i nie zostało jeszcze spakowane.",
  shipped:
    "Zamówienie {order} ({items}) opuściło nasz magazyn {day}, przewoźnik: {carrier}. Numer przesyłki: {tracking}.",
  delivered: "Zamówienie {order} ({items}) dostarczono {day}, przewoźnik: {carrier}, numer przesyłki {tracking}.",
  cancelled: "Zamówienie {order} ({items}) jest anulowane.",
  refundDone:
    "Zwróciliśmy {amount} za zamówienie {order}. Pieniądze dotrą na konto, z którego zapłacono, w ciągu trzech do pięciu dni roboczych.",
  refundRefused:
    "Nie możemy dokonać takiego zwrotu za zamówienie {order}. Sprawą zajmuje się nasz pracownik i odpisze Państwu.",
  refundTooMuch:
    "Zamówienie {order} kosztowało łącznie {total}; więcej nie możemy zwrócić. Jeśli chodzi o tę kwotę, prosimy o wiadomość.",
  refundedBefore:
    "Za zamówienie {order} zwróciliśmy już {amount}. Jeśli pieniądze nie dotarły, prosimy najpierw zapytać w banku.",
  notYours:
    "Zamówienie {order} złożono z innego adresu e-mail. Prosimy napisać do nas z tamtego adresu, wtedy chętnie pomożemy.",
  unknownOrder: "Nie znajdujemy zamówienia o numerze {order}.",
  foundInstead: "Może chodzi o zamówienie {order}?",
  askNumber: "Czy możemy prosić o numer zamówienia? Zaczyna się od FH i jest w mailu z potwierdzeniem.",
  product: "{product}: {description} Cena: {price}; na stanie: {stock}.",
  missing: "Pytamy przewoźnika o przesyłkę, a nasz pracownik odpisze do jutra.",
  colleague: "Nasz pracownik zajmie się tym osobiście i odpisze.",
  signature: "Z poważaniem\nObsługa klienta Fernhollow",
};
