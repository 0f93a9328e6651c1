/** Listeners for signals to runs of this process. */
export interface Subscribers {
  subscribe(runId: string, callback: () => void): () => void;
  notify(runId: string): void;
}

export function createSubscribers(): Subscribers {
  const subscribers = new Map<string, Set<() => void>>();
  return {
    subscribe(runId, callback) {
      const callbacks = subscribers.get(runId) ?? new Set();
      subscribers.set(runId, callbacks.add(callback));
      return () => {
        callbacks.delete(callback);
        if (callbacks.size === 0 && subscribers.get(runId) === callbacks) subscribers.delete(runId);
      };
    },
    notify(runId) {
      for (const callback of subscribers.get(runId) ?? []) callback();
    },
  };
}
