/** A part on the wire. */
export type WirePart = Readonly<Record<string, unknown>>;
