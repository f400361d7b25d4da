import { idFromAnyIri } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { useList } from '#web/api/resources.ts'
import { linkedRecordIri } from '#web/forms/values.ts'
import { substance, substanceLimit } from '../substances/substance.ts'
import type { SubstanceUse } from './substances-used.ts'

type Library = RecordOf<typeof substance>

/**
 * Fetches the current library data of an assessment's substances, by `@id`. Omits substances that the user can no
 * longer read.
 */
export function useCurrentLibrarySubstances(rows: readonly SubstanceUse[]): ReadonlyMap<string, Library> {
  const ids = [...new Set(rows.flatMap(({ substance: of }) => idFromAnyIri(linkedRecordIri(of) ?? '') ?? []))].toSorted(
    (a, b) => a - b,
  )
  const enabled = ids.length > 0
  const found = useList(substance, { id: ids, itemsPerPage: 100 }, { enabled }).data?.['hydra:member']
  const limits = useList(substanceLimit, { substance: ids, pagination: false }, { enabled }).data?.['hydra:member']
  if (!found || !limits) return new Map()
  return new Map(
    found.map((one) => [
      one['@id'],
      { ...one, limits: limits.filter((limit) => linkedRecordIri(limit.substance) === one['@id']) },
    ]),
  )
}

export const currentLibrarySubstanceFor = (
  all: ReadonlyMap<string, Library>,
  { substance: of }: SubstanceUse,
): Library | undefined => all.get(linkedRecordIri(of) ?? '')
