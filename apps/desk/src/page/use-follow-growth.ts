import { useEffect, type RefObject } from "react";

/** Distance from the window's edge, in pixels, within which the page still follows new content. */
const near = 400;

/**
 * Keeps the end of an element visible while it grows. A user who scrolled away is not interrupted.
 *
 * @param element - What grows.
 * @param active - True while it is followed.
 */
export function useFollowGrowth(element: RefObject<HTMLElement | null>, active: boolean): void {
  useEffect(() => {
    const watched = element.current;
    if (!active || watched === null) return;
    const observer = new ResizeObserver(() => {
      const { bottom } = watched.getBoundingClientRect();
      if (bottom > innerHeight && bottom < innerHeight + near) watched.scrollIntoView({ block: "end" });
    });
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element, active]);
}
