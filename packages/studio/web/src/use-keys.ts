import { useEffect, useRef } from "react";

/** Calls back for single keys, unless the viewer is typing or a dialog is open. */
export function useKeys(keys: Readonly<Record<string, (event: KeyboardEvent) => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
      const target = event.target instanceof HTMLElement ? event.target : document.body;
      if (target.closest("input, textarea, select, [contenteditable], [role=dialog]") !== null) return;
      latest.current[event.key]?.(event);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/** Moves the focus by one among the elements that a selector finds. */
export function moveFocus(selector: string, by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(selector)];
  const focused = all.findIndex((element) => element === document.activeElement);
  // From the details of a bar, the keys continue at the bar.
  const at = focused < 0 ? all.findIndex((element) => element.getAttribute("aria-pressed") === "true") : focused;
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
