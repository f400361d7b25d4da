import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { lastIriSegment } from '#kernel/iri.ts'
import type { Resource } from '#kernel/resource.ts'
import { createTextMatcher } from '#kernel/text/search.ts'
import { callApi, type QueryParams } from '../api/client.ts'
import { listQueryOptions } from '../api/resources.ts'
import { formatPlainValue } from './words.ts'

export interface RecordChoice {
  readonly iri: string
  readonly name: string
}

type Row = { readonly '@id': string; readonly [key: string]: unknown }

const MAX_CHOICES = 20

/**
 * Returns the query parameter that searches a resource by text; undefined if the list is short enough to be loaded
 * completely.
 */
function searchParam(r: Resource): string | undefined {
  if (Object.values(r.fields).some((f) => f.search)) return 'q'
  const title = r.title ?? 'name'
  return r.fields[title]?.filter ? title : undefined
}

const nameOf = (r: Resource, row: Row) => formatPlainValue(row[r.title ?? 'name'] ?? row.name ?? row['@id'])

/**
 * Returns the records that match the typed text. `settled` is true once the results for this text have arrived. `more`
 * is true if there are more matches than are returned.
 */
export function useRecordChoices(r: Resource, typed: string, enabled: boolean, params: QueryParams = {}) {
  const [asked] = useDebouncedValue(typed.trim(), 200)
  const by = searchParam(r)
  const whole = r.unpaginated === true
  const query: QueryParams = {
    ...(r.fields.retired?.filter ? { retired: false } : {}),
    ...params,
    ...(whole ? { pagination: false } : { itemsPerPage: MAX_CHOICES, ...(by && asked ? { [by]: asked } : {}) }),
  }
  const list = useQuery({ ...listQueryOptions(r, query), enabled, staleTime: 60_000 })
  const rows = (list.data?.['hydra:member'] ?? []) as unknown as readonly Row[]
  const all = rows.map((row): RecordChoice => ({ iri: row['@id'], name: nameOf(r, row) }))
  const isWanted = createTextMatcher(whole ? typed : '')
  const choices = all.filter((c) => isWanted(c.name))
  /** Results for an earlier text are ignored. */
  const settled = list.isSuccess && !list.isPlaceholderData && (whole || asked === typed.trim())
  return { choices, list, settled, more: !whole && (list.data?.['hydra:totalItems'] ?? 0) > MAX_CHOICES }
}

/** Returns the label of a linked record. Fetches the record if its label is not known. */
export function useLinkedRecordName(
  r: Resource | undefined,
  iri: string | null,
  known: string | undefined,
): string | undefined {
  const one = useQuery({
    queryKey: [r?.url, 'one', lastIriSegment(iri ?? '')],
    queryFn: ({ signal }) => callApi<Row>('GET', iri ?? '', undefined, { signal }),
    enabled: r !== undefined && iri !== null && known === undefined,
    staleTime: 60_000,
  })
  return known ?? (r && one.data ? nameOf(r, one.data) : undefined)
}
