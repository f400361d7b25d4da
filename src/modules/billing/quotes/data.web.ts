import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { recordedCall } from '#modules/crm/calls/call.ts'
import { contact, note } from '#modules/crm/contacts/contact.ts'
import { callApi, callApiWithEtag } from '#web/api/client.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import { customer } from '../customers/customer.ts'
import { quote, type quoteLine } from './quote.ts'

export type QuoteRecord = RecordOf<typeof quote>
export type QuoteLineRecord = RecordOf<typeof quoteLine>

/** A quote with its ETag. Changes are saved only if the server still has the version that was read. */
export interface LoadedQuote {
  readonly body: QuoteRecord
  readonly etag: string | null
}

const key = (id: number | string) => [quote.url, 'read', String(id)] as const

export const useQuote = (id: number | string | undefined) =>
  useQuery({
    queryKey: key(id ?? 0),
    queryFn: ({ signal }): Promise<LoadedQuote> =>
      callApiWithEtag<QuoteRecord>('GET', iriOf(quote, id ?? 0), undefined, { signal }),
    enabled: id !== undefined,
  })

/**
 * Returns a mutation that runs an action on quotes. It then refetches the quotes, customers, contacts, notes and
 * recorded calls.
 */
export function useQuoteMutation<T, V = void>(send: (what: V) => Promise<T>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: () =>
      Promise.all(
        [quote, customer, contact, note, recordedCall].map((r) => queries.invalidateQueries({ queryKey: [r.url] })),
      ),
  })
}

/** Returns a mutation that calls an action, such as `send` or `revise`, with its input. */
export const useQuoteAction = <T = QuoteRecord>(q: Pick<QuoteRecord, '@id'>, action: string) =>
  useQuoteMutation((body: Record<string, unknown> = {}) => callApi<T>('POST', `${q['@id']}/${action}`, body))

/** The quote as it would be sent now, with the fingerprint for `send`. */
type Preview = Pick<QuoteRecord, 'total' | 'totals' | 'couponTerms' | 'supplier'> & { readonly fingerprint: string }

export const useQuotePreview = (q: Pick<QuoteRecord, '@id' | 'updatedAt'>, enabled: boolean) =>
  useQuery({
    queryKey: [quote.url, 'preview', q['@id'], q.updatedAt],
    queryFn: ({ signal }) => callApi<Preview>('GET', `${q['@id']}/preview`, undefined, { signal }),
    enabled,
    gcTime: 0,
  })

export const downloadQuotePdf = (q: Pick<QuoteRecord, '@id' | 'reference'>): Promise<void> =>
  downloadFile(`${q['@id']}/pdf`, `${q.reference?.replace('/', '-')}.pdf`)
