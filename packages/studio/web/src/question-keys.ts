import { useEffect, useRef } from "react";
import { moveFocus, useKeys } from "./use-keys.ts";

/**
 * Keys that approve or reject the question in focus. If none has the focus, the first question gets it: the viewer sees
 * which question the key decides before it decides.
 */
export function useQuestionKeys(): void {
  const press = (action: "approve" | "reject") => (event: KeyboardEvent) => {
    event.preventDefault();
    const focused = document.activeElement?.closest(".question") ?? undefined;
    if (focused === undefined) moveFocus(".question", 1);
    else focused.querySelector<HTMLElement>(`[data-action=${action}]`)?.click();
  };
  useKeys({ a: press("approve"), r: press("reject") });
  useFocusOfNext();
}

/** Gives the focus to the question that replaces a decided one, or to the page after the last one. */
function useFocusOfNext(): void {
  /** Place of the question that has, or had, the focus. */
  const place = useRef(-1);
  useEffect(() => {
    const forget = (): void => void (place.current = -1);
    const note = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element)) return;
      const questions = [...document.querySelectorAll(".question")];
      place.current = target.closest(".bulk") === null ? questions.findIndex((one) => one.contains(target)) : 0;
    };
    const main = document.getElementById("main");
    const observer = new MutationObserver(() => {
      if (place.current < 0 || document.activeElement !== document.body) return;
      const questions = document.querySelectorAll<HTMLElement>(".question");
      const next = questions[Math.min(place.current, questions.length - 1)] ?? main;
      place.current = -1;
      next?.focus();
    });
    document.addEventListener("pointerdown", forget);
    document.addEventListener("focusin", note);
    if (main !== null) observer.observe(main, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("pointerdown", forget);
      document.removeEventListener("focusin", note);
      observer.disconnect();
    };
  }, []);
}
