/** What had the focus last; it may be gone since. */
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
  for (const id of ["main", "mails"]) {
    const view = document.getElementById(id);
    view?.focus({ preventScroll: true });
    if (view !== null && document.activeElement === view) return;
  }
}
