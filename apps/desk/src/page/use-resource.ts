import { useCallback, useEffect, useRef, useState } from "react";

/** State of a resource: the last value stays while a newer one is fetched or fails. */
export interface Resource<Value> {
  readonly value: Value | undefined;
  readonly error: Error | undefined;
  reload(): Promise<void>;
}

/**
 * Fetches immediately, and then at intervals while the page is visible.
 *
 * @param load - Stable between renders (`useCallback`), else it is fetched at each of them. For another resource, mount it again (`key`).
 * @param everyMs - Milliseconds between fetches.
 */
export function useResource<Value>(load: () => Promise<Value>, everyMs = 3_000): Resource<Value> {
  const [state, setState] = useState<{ value?: Value; error?: Error }>({});
  const newest = useRef(0);
  const fetching = useRef(0);

  const reload = useCallback(async () => {
    const mine = ++newest.current;
    fetching.current += 1;
    try {
      const value = await load();
      if (mine !== newest.current) return;
      // An equal answer keeps the old object, so that nothing is drawn again for it.
      setState((old) =>
        old.error === undefined && JSON.stringify(old.value) === JSON.stringify(value) ? old : { value },
      );
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      if (mine === newest.current) setState((old) => ({ ...old, error }));
    } finally {
      fetching.current -= 1;
    }
  }, [load]);

  useEffect(() => {
    queueMicrotask(() => void reload());
    const timer = setInterval(() => {
      // An answer that takes longer than the interval is not replaced by the next fetch.
      if (document.visibilityState === "visible" && fetching.current === 0) void reload();
    }, everyMs);
    return () => {
      newest.current += 1;
      clearInterval(timer);
    };
  }, [reload, everyMs]);

  return { value: state.value, error: state.error, reload };
}
