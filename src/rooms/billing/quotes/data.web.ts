import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import type { SignatureGiven } from '#kernel/signature.ts'
import { contact } from '#rooms/crm/contacts/contact.ts'
import { answer, call } from '#web/api/client.ts'
import { saveFile } from '#web/uploads/fetch.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import { customer } from '../customers/customer.ts'
import type { ListName, SentLine } from '../lines/lines.ts'
import type { QuoteTotals } from '../lines/sum.ts'
import { quote } from './quote.ts'

type Person = { '@id': string; id: number; username: string; name: string; email: string; telephone: string }

/** A quote as the API sends it. */
export type Quote = Omit<
  RecordOf<typeof quote>,
  'customer' | 'coupon' | 'owner' | 'totals' | 'couponTerms' | 'signature' | ListName
> &
  Readonly<Record<ListName, readonly SentLine[]>> & {
    readonly customer: {
      '@id': string
      id: number
      companyName: string | null
      contactName: string | null
      email: string
    }
    readonly coupon: { '@id': string; id: number; name: string } | null
    readonly owner: Person | null
    readonly totals: Omit<QuoteTotals, 'lines'>
    readonly couponTerms: CouponTerms | null
    readonly signature: (SignatureGiven & { readonly at: string; readonly address: string }) | null
  }

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
      Promise.all([quote, customer, contact].map((r) => queries.invalidateQueries({ queryKey: [r.url] }))),
  })
}

/** `send`, `revise` … with what it asks for. */
export const useQuoteAction = <T = Quote>(q: Pick<Quote, '@id'>, action: string) =>
  useQuoteCall((body: Record<string, unknown> = {}) => call<T>('POST', `${q['@id']}/${action}`, body))

/** Saves the quote as a PDF. */
export const savePdf = (q: Pick<Quote, '@id' | 'reference'>): Promise<void> =>
  saveFile(`${q['@id']}/pdf`, `${q.reference?.replace('/', '-')}.pdf`)
