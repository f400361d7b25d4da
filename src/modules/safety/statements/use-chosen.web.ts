import { useState } from 'react'
import { callApi } from '#web/api/client.ts'

/**
 * Returns a function that loads the chosen records. Each is the stored copy or, if there is none, the library's current
 * record.
 */
export function useLibrarySnapshotLoader<T extends { readonly '@id': string }>() {
  const [read] = useState(() => new Map<string, Promise<T>>())
  return (known: readonly T[], iris: readonly string[]): Promise<T[]> =>
    Promise.all(
      iris.map(async (iri) => {
        const was = known.find((s) => s['@id'] === iri)
        if (was) return was
        const asked = read.get(iri) ?? callApi<T>('GET', iri)
        read.set(iri, asked)
        asked.catch(() => read.delete(iri))
        return asked
      }),
    )
}
