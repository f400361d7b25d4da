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
/** One of its lines. */
export type QuoteLine = RecordOf<typeof quoteLine>

/** A quote with the version that was read: what one changes is only saved over that. */
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

/** Something done with quotes: they are read again, and so are the customer and the contact that they tell of. */
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

/** `send`, `revise` … with what it asks for. */
export const useQuoteAction = <T = Quote>(q: Pick<Quote, '@id'>, action: string) =>
  useQuoteCall((body: Record<string, unknown> = {}) => call<T>('POST', `${q['@id']}/${action}`, body))

/** What the customer would be sent now, and the fingerprint by which just that is sent. */
type Preview = Pick<Quote, 'total' | 'totals' | 'couponTerms' | 'supplier'> & { readonly fingerprint: string }

export const usePreview = (q: Pick<Quote, '@id' | 'updatedAt'>, enabled: boolean) =>
  useQuery({
    queryKey: [quote.url, 'preview', q['@id'], q.updatedAt],
    queryFn: ({ signal }) => call<Preview>('GET', `${q['@id']}/preview`, undefined, { signal }),
    enabled,
    gcTime: 0,
  })

/** Saves the quote as a PDF. */
export const savePdf = (q: Pick<Quote, '@id' | 'reference'>): Promise<void> =>
  saveFile(`${q['@id']}/pdf`, `${q.reference?.replace('/', '-')}.pdf`)
