/** Ends the id of a question that is asked once more: a client that cannot send `acknowledged` answers this id. */
const suffix = "~suspicious";

/** The id under which a suspicious question is asked once more. */
export const secondId = (id: string): string => `${id}${suffix}`;

/** The question of an id that a client answers, and whether the client was asked once more. */
export function askedId(given: string): { readonly id: string; readonly isSecond: boolean } {
  const isSecond = given.endsWith(suffix);
  return { id: isSecond ? given.slice(0, -suffix.length) : given, isSecond };
}
