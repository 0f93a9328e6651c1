/** The last element with the focus; it may have been removed since. */
let last: Element | null = null;

document.addEventListener("focusin", ({ target }) => {
  last = target instanceof Element ? target : null;
});

/**
 * Gives the focus to the view if its element was removed: a pressed button, a decided card. Otherwise a user of the
 * keyboard or a screen reader would start again at the top of the page.
 */
export function keepFocus(): void {
  const isLost = document.activeElement === null || document.activeElement === document.body;
  if (!isLost || last === null || (last.isConnected && last.checkVisibility())) return;
  // The link back leads to the list of mails, also if the scenes are above it.
  const isBack = last.matches(".back");
  for (const id of isBack ? ["mails", "main"] : ["main", "mails"]) {
    const view = document.getElementById(id);
    view?.focus({ preventScroll: !isBack });
    if (view !== null && document.activeElement === view) return;
  }
}
