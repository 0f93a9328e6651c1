/**
 * Everything that a large model could read in a text: hidden characters removed, invisible tag characters and base64
 * spelled out, HTML reduced to its words. The demo model reads this way on purpose, so that hidden text in mails
 * reaches it.
 *
 * @param text - Text of a mail or an attachment.
 */
export function visibleText(text: string): string {
  const spelledOut = text
    .replace(/[\u{e0020}-\u{e007e}]/gu, (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) - 0xe0000))
    .replace(/[\u200b-\u200f\u2060-\u2064\ufeff\u00ad]/g, "")
    .replace(/<(?!\|)\/?[a-z_][^<>]*>/gi, " ");
  return spelledOut.replace(/[A-Za-z0-9+/]{40,}={0,2}/g, (run) => {
    const decoded = Buffer.from(run, "base64").toString("latin1");
    return /^[\x20-\x7e\n]+$/.test(decoded) ? `${run} ${decoded}` : run;
  });
}
