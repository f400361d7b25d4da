import type { Values } from '#kernel/forms/visible.ts'
import { callApiWithEtag } from '../../api/client.ts'
import { cacheSavedRecord } from '../../offline/cache/cached-page.ts'
import type { RecordWithEtag } from './autosave.ts'

/** Returns the key of the query that opens a record for editing. */
export const editingQueryKey = (iri: string) => ['editing', iri] as const

/**
 * Returns the functions with which `useAutosave` reads and changes one record in the API:
 * `{...recordEndpoint('/api/safety/risk_assessments/12')}`.
 */
export const recordEndpoint = (iri: string) => ({
  load: (): Promise<RecordWithEtag> => version('GET', iri),
  save: async (changes: Values, etag: string | null): Promise<RecordWithEtag> => {
    const saved = await version('PUT', iri, changes, etag)
    // Some responses to a change have no ETag, so the record is fetched again.
    return saved.etag === null ? version('GET', iri) : saved
  },
})

async function version(
  method: 'GET' | 'PUT',
  iri: string,
  body?: Values,
  etag?: string | null,
): Promise<RecordWithEtag> {
  // If the person leaves the page during a save, the request is still sent.
  const options = etag ? { ifMatch: etag, lasting: isSmall(body) } : {}
  const { body: record, etag: now } = await callApiWithEtag<Values>(method, iri, body, options)
  const known = { record, etag: now }
  if (now !== null) cacheSavedRecord(editingQueryKey(iri), known)
  return known
}

/** Returns true if the request body is small. After a page has closed, browsers abort its larger requests. */
const isSmall = (body: Values | undefined): boolean => body !== undefined && JSON.stringify(body).length < 30_000
