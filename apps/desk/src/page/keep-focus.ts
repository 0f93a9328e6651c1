/** The last element with the focus; it may have been removed since. */
let last: Element | null = null;

document.addEventListener("focusin", ({ target }) => {
  last = target instanceof Element ? target : null;
});

/**
 * Gives the focus to the view when what had it is gone: a button that was pressed, a card that was decided. Else who works
 * with the keyboard or a screen reader would begin again at the top of the page.
 */
export function keepFocus(): void {
  const isLost = document.activeElement === null || document.activeElement === document.body;
  if (!isLost || last === null || (last.isConnected && last.checkVisibility())) return;
  // The link back to the mails leads to the mails, also where the scenes are above them.
  const isBack = last.matches(".back");
  for (const id of isBack ? ["mails", "main"] : ["main", "mails"]) {
    const view = document.getElementById(id);
    view?.focus({ preventScroll: !isBack });
    if (view !== null && document.activeElement === view) return;
  }
}
