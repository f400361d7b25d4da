/**
 * One value in the browser's storage. A browser that refuses to store anything (a private window, no space left)
 * behaves as if nothing had been stored.
 */
export interface StoredValue<T> {
  readonly read: () => T | undefined
  /** Stores a value; `undefined` removes it. */
  readonly write: (value: T | undefined) => void
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

const storageArea = (storage: () => Storage) => {
  const text = (key: string): StoredValue<string> => ({
    read: () => attempt(() => storage().getItem(key) ?? undefined),
    write: (value) => attempt(() => (value === undefined ? storage().removeItem(key) : storage().setItem(key, value))),
  })
  return {
    isAvailable: (): boolean => attempt(() => storage().length) !== undefined,
    text,
    json: <T>(key: string): StoredValue<T> => ({
      read: () => attempt(() => (JSON.parse(text(key).read() ?? 'null') as T | null) ?? undefined),
      write: (value) => text(key).write(value === undefined ? undefined : JSON.stringify(value)),
    }),
    removeAll: (prefix: string): void =>
      attempt(() => {
        for (const key of Object.keys(storage())) if (key.startsWith(prefix)) storage().removeItem(key)
      }),
  }
}

/** Storage that outlives the tab and is shared by all tabs. */
export const deviceStorage = storageArea(() => localStorage)

/** Storage that outlives a reload and belongs to one tab. */
export const tabStorage = storageArea(() => sessionStorage)
