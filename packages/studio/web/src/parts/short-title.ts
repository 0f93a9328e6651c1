/** Maximum length of a question's heading, in characters. */
const mostShown = 160;

/**
 * A heading that can be read at a glance: long texts end with the last whole word that fits.
 *
 * @param title - The whole sentence.
 */
export function shortTitle(title: string): string {
  const letters = Array.from(title);
  if (letters.length <= mostShown) return title;
  const start = letters.slice(0, mostShown).join("");
  const end = start.lastIndexOf(" ");
  return `${end > mostShown / 2 ? start.slice(0, end) : start}…`;
}
