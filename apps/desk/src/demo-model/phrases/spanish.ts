import type { Phrases } from "./phrases.ts";

export const spanish: Phrases = {
  greeting: "Hola, {name}:",
  sorry: "Sentimos mucho lo ocurrido.",
  placed: "Tenemos su pedido {order} ({items}) y todavía no está preparado.",
  shipped:
    "Su pedido {order} ({items}) salió de nuestro almacén el {day} con {carrier}. El número de seguimiento es {tracking}.",
  delivered: "Su pedido {order} ({items}) fue entregado el {day} por {carrier}, número de seguimiento {tracking}.",
  cancelled: "Su pedido {order} ({items}) está cancelado.",
  refundDone:
    "Hemos reembolsado {amount} del pedido {order}. Llegará a la cuenta con la que pagó en tres a cinco días laborables.",
  refundRefused:
    "No podemos reembolsar el pedido {order} tal como lo pide. Un compañero lo está revisando y le escribirá.",
  refundTooMuch:
    "El pedido {order} costó {total} en total, así que no podemos reembolsar más. Si desea ese importe, escríbanos.",
  refundedBefore: "Ya reembolsamos {amount} del pedido {order}. Si no ha llegado, consulte primero con su banco.",
  notYours: "El pedido {order} se hizo con otra dirección de correo. Escríbanos desde esa dirección y le ayudaremos.",
  unknownOrder: "No encontramos ningún pedido con el número {order}.",
  foundInstead: "¿Se refiere quizá a su pedido {order}?",
  askNumber: "¿Podría enviarnos el número de pedido? Empieza por FH y está en el correo de confirmación.",
  product: "{product}: {description} Cuesta {price}; {stock} en stock.",
  missing: "Preguntaremos al transportista y un compañero le escribirá antes de mañana.",
  colleague: "Un compañero lo verá personalmente y le escribirá.",
  signature: "Un saludo\nAtención al cliente de Fernhollow",
};
