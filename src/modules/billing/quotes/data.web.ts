import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { recordedCall } from '#modules/crm/calls/call.ts'
import { contact, note } from '#modules/crm/contacts/contact.ts'
import { decisiveEmail, describeDelivery, isWithinSendingWindow } from '#modules/crm/mail/message.ts'
import { emailsAboutOptions, useEmailsAbout } from '#modules/crm/mail/states.web.ts'
import { callApi, callApiWithEtag } from '#web/api/client.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import { customer } from '../customers/customer.ts'
import { discountApproval, quote, type quoteLine } from './quote.ts'

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
 * Returns a mutation that runs an action on quotes. It then refetches the quotes, their discount approvals, customers,
 * contacts, notes and recorded calls.
 */
export function useQuoteMutation<T, V = void>(send: (what: V) => Promise<T>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: () =>
      Promise.all(
        [quote, discountApproval, customer, contact, note, recordedCall].map((r) =>
          queries.invalidateQueries({ queryKey: [r.url] }),
        ),
      ),
  })
}

/** Returns a mutation that calls an action, such as `send` or `revise`, with its input. */
export const useQuoteAction = <T = QuoteRecord>(q: Pick<QuoteRecord, '@id'>, action: string) =>
  useQuoteMutation((body: Record<string, unknown> = {}) => callApi<T>('POST', `${q['@id']}/${action}`, body))

/** Describes the delivery of a quote's e-mail, such as "Sent to ann@acme.example". */
export function useQuoteDelivery(q: QuoteRecord | undefined): string {
  const enabled = Boolean(q && q.state !== 'draft' && q.emailTo)
  const emails = useEmailsAbout(q?.['@id'], { enabled, requestedAt: q?.sentAt })
  if (!q?.emailTo) return 'Made live without sending an e-mail'
  if (!emails) return 'The e-mails of this quote could not be loaded'
  const decisive = decisiveEmail(emails)
  if (decisive) return describeDelivery(decisive, 'Copy the link and send it to the customer yourself.')
  return isWithinSendingWindow(q.sentAt) ? `Being sent to ${q.emailTo}` : 'No e-mail is recorded'
}

/**
 * Returns whether the quote's e-mails have been requested with a response or an error. The page waits for them, because
 * their text changes the height of the history.
 */
export const useAreQuoteEmailsRead = (id: number | string | undefined): boolean =>
  useQuery({ ...emailsAboutOptions(iriOf(quote, id ?? 0)), enabled: id !== undefined }).isFetched

/** State of a discount above the limit, and of the latest request to approve it. Amounts are in pence. */
export interface DiscountApprovalState {
  readonly state: 'needed' | 'waiting' | 'approved' | 'rejected'
  readonly discount: number
  /** True if the discount covers the first year. */
  readonly isRecurring: boolean
  readonly limitPercent: number
  readonly limitAmount: number
  readonly request: string | null
  /** Username of the requester. */
  readonly author: string
  readonly since: string | null
  /** Reason why the discount was declined. */
  readonly answer: string
}

/** The quote as it would be sent now, with the invoices for acceptance today and the fingerprint for `send`. */
type Preview = Pick<QuoteRecord, 'total' | 'totals' | 'couponTerms' | 'supplier' | 'nextInvoices'> & {
  readonly fingerprint: string
  /** `null` if the discount is within the limit. */
  readonly approval: DiscountApprovalState | null
}

/** Poll interval in milliseconds, while a discount is waiting for approval. */
const APPROVAL_POLL_MS = 15_000

export const useQuotePreview = (q: Pick<QuoteRecord, '@id' | 'updatedAt'>, enabled: boolean) =>
  useQuery({
    queryKey: [quote.url, 'preview', q['@id'], q.updatedAt],
    queryFn: ({ signal }) => callApi<Preview>('GET', `${q['@id']}/preview`, undefined, { signal }),
    enabled,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data?.approval?.state === 'waiting' ? APPROVAL_POLL_MS : false),
  })

export const downloadQuotePdf = (q: Pick<QuoteRecord, '@id' | 'reference'>): Promise<void> =>
  downloadFile(`${q['@id']}/pdf`, `${q.reference?.replace('/', '-')}.pdf`)
