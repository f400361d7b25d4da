import { useQuery } from '@tanstack/react-query'
import { type Collection, callApi } from '../api/client.ts'

/** Use of a file outside documents, described as text: `the data sheet of Thinners`. */
export interface FileUse {
  readonly '@id': string
  readonly as: string
  readonly path: string
}

const read = (iri: string, signal?: AbortSignal) =>
  callApi<Collection<FileUse>>('GET', `${iri}/other_uses`, undefined, signal ? { signal } : {})

export const useOtherFileUses = (iri: string) =>
  useQuery({
    queryKey: [`${iri}/other_uses`],
    queryFn: ({ signal }) => read(iri, signal),
    select: (found) => found['hydra:member'],
  })

/**
 * Describes a file's other uses in a sentence: `The file is also used as the data sheet of Thinners.` Returns an empty
 * string if there are none or if they can't be loaded.
 */
export async function describeOtherFileUses(iri: string): Promise<string> {
  // If this request fails, the person must still be able to continue.
  const uses = (await read(iri).catch(() => undefined))?.['hydra:member'] ?? []
  return uses.length ? `The file is also used as ${new Intl.ListFormat('en-GB').format(uses.map(({ as }) => as))}.` : ''
}
