/** The colon of a scheme: before slashes, or after the name of one that takes none. One link may be within another. */
const schemeColon = /:(?=[/\\])|(?<=(?:mailto|xmpp|tel|javascript|data|https?|ftp)):/giu;

/** Slashes before a host without a dot, at the end: some viewers continue behind a backtick, and need no scheme. */
const hostAtEnd = /(?<=\[:\])\/\/(?=[^./\\[\]]*\.?$)/gu;

/**
 * A link that no viewer makes a link of: the colons of its schemes and its dots stand in brackets. Brackets could begin an
 * image or a link with what stands beside them: where they would, they are escaped.
 */
export function inertLink(link: string): string {
  return link
    .replaceAll(schemeColon, "[:]")
    .replaceAll(hostAtEnd, "/[/]")
    .replaceAll(".", "[.]")
    .replaceAll(/\](?=[(:[])/gu, "]\\")
    .replaceAll(/!(?=\[)/gu, "!\\");
}
