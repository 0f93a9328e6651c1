/** Parts of invented names by country: first names, last names, language and mail domain. */
export interface PeopleOfCountry {
  readonly country: string;
  readonly language: string;
  readonly domain: string;
  readonly first: readonly string[];
  readonly last: readonly string[];
}

/** Name parts for the customers who only fill the shop. */
export const people: readonly PeopleOfCountry[] = [
  {
    country: "GB",
    language: "en",
    domain: "postroom.example",
    first: ["Alfie", "Bryony", "Cedric", "Dervla", "Esme", "Fergus"],
    last: ["Ashgrove", "Bramwick", "Coldbeck", "Dunthorpe", "Eastlake"],
  },
  {
    country: "DE",
    language: "de",
    domain: "briefkasten.example",
    first: ["Arndt", "Birgit", "Carsten", "Dörte", "Ewald", "Frauke"],
    last: ["Altenbusch", "Birkental", "Dornhaag", "Eichstedt", "Grünhoff"],
  },
  {
    country: "FR",
    language: "fr",
    domain: "courrier.example",
    first: ["Agathe", "Bastien", "Clémence", "Didier", "Émilien", "Flavie"],
    last: ["Aubépin", "Boisclair", "Chantereau", "Dufresnoy", "Épinette"],
  },
  {
    country: "ES",
    language: "es",
    domain: "correo.example",
    first: ["Amaya", "Baltasar", "Candela", "Dámaso", "Estrella"],
    last: ["Alcornoque", "Brezales", "Cañaveras", "Dehesilla"],
  },
  {
    country: "IT",
    language: "it",
    domain: "posta.example",
    first: ["Agnese", "Brando", "Clelia", "Dario", "Elettra"],
    last: ["Acquaviti", "Boscarelli", "Castagnedi", "Dellaquercia"],
  },
  {
    country: "NL",
    language: "nl",
    domain: "postbus.example",
    first: ["Aafke", "Bram", "Coen", "Doutzen", "Evert"],
    last: ["van Akkerveen", "Beukenhorst", "de Duinwaard", "Elzinga-Mol"],
  },
  {
    country: "PL",
    language: "pl",
    domain: "poczta.example",
    first: ["Bogna", "Czesław", "Dobrawa", "Eryk", "Gosia"],
    last: ["Brzezicki", "Dębowska", "Grabinowicz", "Jodłowska"],
  },
  {
    country: "JP",
    language: "ja",
    domain: "yubin.example",
    first: ["Haruto", "Itsuki", "Kaede", "Minori"],
    last: ["Aoshima", "Fujimori", "Komorebi", "Takigawa"],
  },
];
