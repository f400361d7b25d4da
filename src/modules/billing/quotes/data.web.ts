import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { callMade } from '#modules/crm/calls/call.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { note } from '#modules/crm/contacts/note.ts'
import { answer, call } from '#web/api/client.ts'
import { saveFile } from '#web/uploads/fetch.ts'
import { customer } from '../customers/customer.ts'
import { quote, type quoteLine } from './quote.ts'

/** A quote as the API sends it. */
export type Quote = RecordOf<typeof quote>
export type QuoteLine = RecordOf<typeof quoteLine>

/** A quote with its ETag: changes are saved only over the version read. */
export interface Read {
  readonly body: Quote
  readonly etag: string | null
}

const key = (id: number | string) => [quote.url, 'read', String(id)] as const

export const useQuote = (id: number | string | undefined) =>
  useQuery({
    queryKey: key(id ?? 0),
    queryFn: ({ signal }): Promise<Read> => answer<Quote>('GET', iriOf(quote, id ?? 0), undefined, { signal }),
    enabled: id !== undefined,
  })

/** Mutation on quotes; refetches quotes, their customer and their contact. */
export function useQuoteCall<T, V = void>(send: (what: V) => Promise<T>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: () =>
      Promise.all(
        [quote, customer, contact, note, callMade].map((r) => queries.invalidateQueries({ queryKey: [r.url] })),
      ),
  })
}

/** Calls an action, such as `send` or `revise`, with its input. */
export const useQuoteAction = <T = Quote>(q: Pick<Quote, '@id'>, action: string) =>
  useQuoteCall((body: Record<string, unknown> = {}) => call<T>('POST', `${q['@id']}/${action}`, body))

/** Quote as it would be sent now, with the fingerprint for `send`. */
type Preview = Pick<Quote, 'total' | 'totals' | 'couponTerms' | 'supplier'> & { readonly fingerprint: string }

export const usePreview = (q: Pick<Quote, '@id' | 'updatedAt'>, enabled: boolean) =>
  useQuery({
    queryKey: [quote.url, 'preview', q['@id'], q.updatedAt],
    queryFn: ({ signal }) => call<Preview>('GET', `${q['@id']}/preview`, undefined, { signal }),
    enabled,
    gcTime: 0,
  })

export const savePdf = (q: Pick<Quote, '@id' | 'reference'>): Promise<void> =>
  saveFile(`${q['@id']}/pdf`, `${q.reference?.replace('/', '-')}.pdf`)
