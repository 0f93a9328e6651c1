/** The colon of a scheme: before slashes, or after the name of a scheme without slashes. Links may be nested. */
const schemeColon = /:(?=[/\\])|(?<=(?:mailto|xmpp|tel|javascript|data|https?|ftp)):/giu;

/** Slashes before a host without a dot, at the end: some viewers continue after a backtick and need no scheme. */
const hostAtEnd = /(?<=\[:\])\/\/(?=[^./\\[\]]*\.?$)/gu;

/**
 * A link that no viewer makes clickable: the colons of its schemes and its dots are in brackets. Brackets that could
 * form an image or a link with their neighbours are escaped.
 */
export function inertLink(link: string): string {
  return link
    .replaceAll(schemeColon, "[:]")
    .replaceAll(hostAtEnd, "/[/]")
    .replaceAll(".", "[.]")
    .replaceAll(/\](?=[(:[])/gu, "]\\")
    .replaceAll(/!(?=\[)/gu, "!\\");
}
