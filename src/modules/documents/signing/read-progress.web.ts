import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { iriOf } from '#kernel/resource.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { tabStorage } from '#web/offline/browser-storage.ts'
import { document, type OpenedPart } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import { referencesIn } from '../types/reference.ts'
import type { DocumentPart } from './hand-words.ts'

/** How far a part has been read in this tab. */
interface Progress {
  readonly seconds: number
  readonly ended: boolean
}

export type Progresses = Readonly<Record<string, Progress>>

const NOTHING: Progresses = {}
const UNREAD: Progress = { seconds: 0, ended: false }
/** Progress by reader and document. It is retained after a reload of the tab. */
const known = new Map<string, Progresses>()
const listeners = new Set<() => void>()

const storageOf = (key: string) => tabStorage.json<Progresses>(`stanchion-read:${key}`)

function load(key: string): Progresses {
  const found = known.get(key) ?? storageOf(key).read() ?? NOTHING
  known.set(key, found)
  return found
}

function listen(heard: () => void) {
  listeners.add(heard)
  return () => void listeners.delete(heard)
}

/** Returns how far each part of a document has been read in this tab, by IRI, and a function to add to it. */
export function useReadProgress({ id }: Pick<DocumentRecord, 'id'>) {
  const { userId } = useActor()
  return useReadProgressOf(`${userId} ${id}`)
}

/** Does the same for any reader, such as the holder of a link, identified by `key` together with the document. */
export function useReadProgressOf(key: string) {
  const progress = useSyncExternalStore(listen, () => load(key))
  const add = (part: string, { seconds = 0, ended = false }: Partial<Progress>) => {
    const before = load(key)
    const of = before[part] ?? UNREAD
    const next = { ...before, [part]: { seconds: of.seconds + seconds, ended: of.ended || ended } }
    known.set(key, next)
    storageOf(key).write(next)
    for (const heard of listeners) heard()
  }
  return { progress, add }
}

const partsQueryOptions = (id: number) =>
  queryOptions({
    queryKey: [document.url, 'parts', id],
    queryFn: ({ signal }) =>
      callApi<Collection<DocumentPart>>('GET', `${iriOf(document, id)}/parts`, undefined, { signal }),
  })

/** Loads the parts of a document: everything to which it refers. Sends no request for a document without references. */
export function useDocumentParts(kind: DocumentKind, record: DocumentRecord) {
  const has = referencesIn(kind.references, record).some(({ rows }) => rows.length > 0)
  const found = useQuery({ ...partsQueryOptions(record.id), enabled: has })
  const all = found.data?.['hydra:member']
  return { has, all, error: has ? found.error : null, refetch: found.refetch }
}

/**
 * Returns the parts that the user has yet to open to their end before signing, and those opened for the signature. `left`
 * is undefined until the parts are known.
 */
export function usePartsToRead(kind: DocumentKind, record: DocumentRecord) {
  const { has, all, error } = useDocumentParts(kind, record)
  const { progress } = useReadProgress(record)
  const left = has
    ? all?.filter((part) => part.readable && !part.signedAt && !progress[part['@id']]?.ended)
    : ([] as readonly DocumentPart[])
  const own = {
    '@id': iriOf(document, record.id),
    name: `${record.documentNumber} revision ${record.revision}`,
    readable: true,
  }
  return {
    left,
    opened: openedParts(all ?? [], progress),
    /** The document itself, if it was read to its end. */
    whole: openedParts([own], progress),
    error,
    total: all?.length ?? 0,
  }
}

/** Returns the parts that were opened to their end, with the seconds for which each was on the screen. */
export const openedParts = (
  all: readonly Pick<DocumentPart, '@id' | 'name' | 'readable'>[],
  progress: Progresses,
): OpenedPart[] =>
  all.flatMap(({ '@id': part, name, readable }) => {
    const read = progress[part]
    return readable && read?.ended ? [{ part, name, seconds: read.seconds }] : []
  })

/** Time in milliseconds within which the page is covered, if a file is shown in a tab of its own. */
const COVERED_WITHIN_MS = 5000

/** Calls back with the seconds for which this page is covered, if it is covered at once. */
export function measureCoveredSeconds(report: (seconds: number) => void) {
  const [from, { document: tab }] = [Date.now(), globalThis]
  let hiddenAt: number | undefined
  const change = () => {
    if (tab.visibilityState !== 'visible') {
      if (Date.now() - from < COVERED_WITHIN_MS) hiddenAt = Date.now()
      return
    }
    tab.removeEventListener('visibilitychange', change)
    if (hiddenAt !== undefined) report(Math.round((Date.now() - hiddenAt) / 1000))
  }
  tab.addEventListener('visibilitychange', change)
}
