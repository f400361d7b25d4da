/**
 * Single value in the browser's storage. If the browser can't store anything (a private window, no space left), the
 * value is always missing.
 */
export interface StoredValue<T> {
  readonly read: () => T | undefined
  /** Stores a value; `undefined` removes it. Returns false if the browser can't store it. */
  readonly write: (value: T | undefined) => boolean
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
    write: (value) =>
      attempt(() => {
        if (value === undefined) storage().removeItem(key)
        else storage().setItem(key, value)
        return true
      }) ?? false,
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

/** Storage that is shared by all tabs and is retained after they are closed. */
export const deviceStorage = storageArea(() => localStorage)

/** Storage of one tab, which is retained after a reload. */
export const tabStorage = storageArea(() => sessionStorage)
