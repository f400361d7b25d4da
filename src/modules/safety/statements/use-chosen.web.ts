import { useState } from 'react'
import { call } from '#web/api/client.ts'

/** The chosen records: those that are kept as they were, the others as the library has them. */
export function useChosen<T extends { readonly '@id': string }>() {
  const [read] = useState(() => new Map<string, Promise<T>>())
  return (known: readonly T[], iris: readonly string[]): Promise<T[]> =>
    Promise.all(
      iris.map(async (iri) => {
        const was = known.find((s) => s['@id'] === iri)
        if (was) return was
        const asked = read.get(iri) ?? call<T>('GET', iri)
        read.set(iri, asked)
        asked.catch(() => read.delete(iri))
        return asked
      }),
    )
}
