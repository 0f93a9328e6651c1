import type { OrderStatus } from "../types.ts";

/** A customer who writes to the desk in the sample mailbox. */
export interface CastCustomer {
  readonly name: string;
  readonly email: string;
  readonly country: string;
  readonly language: string;
  readonly note?: string;
  readonly orders: readonly CastOrder[];
}

/** An order that a sample mail is about. `refunded` was paid back before the mail arrived. */
export interface CastOrder {
  readonly number: number;
  readonly status: OrderStatus;
  readonly lines: readonly (readonly [sku: string, quantity: number])[];
  readonly refunded?: number;
}

/** All of them are invented; addresses end in `.example`, a reserved domain. */
export const cast: readonly CastCustomer[] = [
  {
    name: "Hannah Whitlow",
    email: "hannah.whitlow@postroom.example",
    country: "GB",
    language: "en",
    orders: [
      {
        number: 10214,
        status: "shipped",
        lines: [
          ["RUC-01", 1],
          ["ROP-01", 2],
        ],
      },
    ],
  },
  {
    name: "Jonas Reuterbach",
    email: "j.reuterbach@briefkasten.example",
    country: "DE",
    language: "de",
    orders: [
      {
        number: 10187,
        status: "delivered",
        lines: [
          ["KET-01", 1],
          ["MUG-04", 1],
        ],
      },
    ],
  },
  {
    name: "Éloïse Tarnier",
    email: "eloise.tarnier@courrier.example",
    country: "FR",
    language: "fr",
    note: "Orders for a scout group; prefers delivery on Saturdays.",
    orders: [{ number: 10191, status: "delivered", lines: [["TEN-02", 1]] }],
  },
  {
    name: "Iñaki Belarreta",
    email: "inaki.belarreta@correo.example",
    country: "ES",
    language: "es",
    orders: [{ number: 10072, status: "delivered", lines: [["SOC-03", 1]] }],
  },
  {
    name: "Fiorella Bassani",
    email: "fiorella.bassani@posta.example",
    country: "IT",
    language: "it",
    orders: [{ number: 10176, status: "delivered", lines: [["BOO-41", 1]] }],
  },
  {
    name: "Sanne Oldekamp",
    email: "sanne@oldekamp.example",
    country: "NL",
    language: "nl",
    orders: [{ number: 10188, status: "shipped", lines: [["LAN-01", 1]] }],
  },
  {
    name: "Wiesława Grodzicka",
    email: "w.grodzicka@poczta.example",
    country: "PL",
    language: "pl",
    orders: [
      {
        number: 10203,
        status: "delivered",
        lines: [
          ["STO-01", 1],
          ["FIR-01", 1],
        ],
      },
    ],
  },
  {
    name: "Duarte Vilarinho",
    email: "duarte.vilarinho@correio.example",
    country: "PT",
    language: "pt",
    orders: [{ number: 10229, status: "placed", lines: [["CHA-01", 2]] }],
  },
  {
    name: "桐原 あおい",
    email: "aoi.kirihara@yubin.example",
    country: "JP",
    language: "ja",
    orders: [{ number: 10210, status: "shipped", lines: [["BLA-01", 1]] }],
  },
  {
    name: "ليث القاسمي",
    email: "layth.qasimi@barid.example",
    country: "AE",
    language: "ar",
    orders: [
      {
        number: 10222,
        status: "shipped",
        lines: [
          ["TOR-01", 1],
          ["BOT-01", 1],
        ],
      },
    ],
  },
  {
    name: "Gaspard Lemerle",
    email: "gaspard@atelier-lemerle.example",
    country: "FR",
    language: "fr",
    note: "Buys for his workshop and needs invoices with its name.",
    orders: [
      {
        number: 10168,
        status: "delivered",
        lines: [
          ["TAB-01", 1],
          ["LAN-01", 2],
        ],
      },
    ],
  },
  {
    name: "Rowan Aldersey",
    email: "rowan.aldersey@postroom.example",
    country: "IE",
    language: "en",
    orders: [{ number: 10195, status: "delivered", lines: [["BLA-01", 1]] }],
  },
  {
    name: "Tobias Fennwald",
    email: "tobias.fennwald@briefkasten.example",
    country: "AT",
    language: "de",
    orders: [
      {
        number: 10117,
        status: "delivered",
        lines: [
          ["SLE-01", 2],
          ["TEN-02", 1],
        ],
      },
    ],
  },
  {
    name: "Maeve Corrigan-Holt",
    email: "maeve.ch@postroom.example",
    country: "IE",
    language: "en",
    orders: [
      { number: 10198, status: "delivered", lines: [["HAT-01", 2]] },
      { number: 10207, status: "shipped", lines: [["JAC-02", 1]] },
    ],
  },
  {
    name: "Anneliese Brückhof",
    email: "a.brueckhof@briefkasten.example",
    country: "DE",
    language: "de",
    orders: [
      {
        number: 10181,
        status: "delivered",
        lines: [
          ["SOC-03", 2],
          ["HAT-01", 1],
        ],
      },
    ],
  },
  {
    name: "Callum Drayshaw",
    email: "callum@drayshaw.example",
    country: "GB",
    language: "en",
    orders: [{ number: 10159, status: "delivered", lines: [["KNI-01", 1]] }],
  },
  {
    name: "Bożydar Lechowski",
    email: "bozydar.lechowski@poczta.example",
    country: "PL",
    language: "pl",
    orders: [{ number: 10184, status: "delivered", lines: [["SLE-01", 1]] }],
  },
  {
    name: "朝木野 蓮",
    email: "ren.asakino@yubin.example",
    country: "JP",
    language: "ja",
    orders: [{ number: 10201, status: "delivered", lines: [["JAC-01", 1]] }],
  },
  {
    name: "نور حدادين",
    email: "noor.haddadin@barid.example",
    country: "JO",
    language: "ar",
    orders: [
      {
        number: 10193,
        status: "delivered",
        lines: [
          ["BOT-01", 1],
          ["LUN-01", 1],
        ],
      },
    ],
  },
  {
    name: "Theo Marchbank",
    email: "theo.marchbank@postroom.example",
    country: "GB",
    language: "en",
    note: "Likes short answers.",
    orders: [
      {
        number: 10219,
        status: "shipped",
        lines: [
          ["LAN-01", 1],
          ["BAG-01", 1],
        ],
      },
    ],
  },
  {
    name: "Lucía Ferrándiz",
    email: "lucia.ferrandiz@correo.example",
    country: "ES",
    language: "es",
    orders: [
      {
        number: 10212,
        status: "delivered",
        lines: [
          ["MUG-04", 1],
          ["FLA-01", 1],
        ],
      },
    ],
  },
  {
    name: "Imogen Thackery",
    email: "imogen.thackery@postroom.example",
    country: "GB",
    language: "en",
    orders: [{ number: 10145, status: "delivered", lines: [["HAM-01", 1]], refunded: 6400 }],
  },
  {
    name: "Joris van Eekelen",
    email: "joris@vaneekelen.example",
    country: "NL",
    language: "nl",
    orders: [{ number: 10205, status: "delivered", lines: [["GRI-01", 1]] }],
  },
  {
    name: "Maxence Brisbois",
    email: "maxence.brisbois@courrier.example",
    country: "BE",
    language: "fr",
    orders: [{ number: 10199, status: "delivered", lines: [["POT-02", 1]] }],
  },
  {
    name: "Ottavio Rinaldesi",
    email: "ottavio.rinaldesi@posta.example",
    country: "IT",
    language: "it",
    orders: [{ number: 10206, status: "delivered", lines: [["STO-01", 1]] }],
  },
  {
    name: "Ylva Stenmark-Lund",
    email: "ylva@stenmarklund.example",
    country: "SE",
    language: "sv",
    orders: [{ number: 10217, status: "shipped", lines: [["POL-02", 1]] }],
  },
  {
    name: "Priya Venkatnarayan",
    email: "priya.v@postroom.example",
    country: "GB",
    language: "en",
    orders: [
      {
        number: 10226,
        status: "placed",
        lines: [
          ["FIL-01", 1],
          ["KIT-01", 1],
        ],
      },
    ],
  },
  {
    name: "Beatriz Quintanilha",
    email: "bia.quintanilha@correio.example",
    country: "PT",
    language: "pt",
    orders: [{ number: 10189, status: "delivered", lines: [["HAM-01", 1]] }],
  },
];
