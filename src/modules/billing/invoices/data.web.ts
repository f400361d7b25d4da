import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { mailMessage } from '#modules/crm/mail/message.ts'
import { callApi } from '#web/api/client.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import { financeRequest } from '../approvals/finance-request.ts'
import { customer } from '../customers/customer.ts'
import type { LineVat } from '../lines/line-vat.ts'
import { invoice } from './invoice.ts'

export type InvoiceRecord = RecordOf<typeof invoice>

/**
 * Returns a mutation that runs an action on invoices. On success, it refetches the invoices, their customers and the
 * resources in `also`.
 */
export function useInvoiceMutation<T, V = void>(send: (what: V) => Promise<T>, also: readonly Resource[] = []) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: () =>
      Promise.all([invoice, customer, ...also].map((r) => queries.invalidateQueries({ queryKey: [r.url] }))),
  })
}

/** Returns a mutation that runs an action such as `issue` or `void` with a request body. */
export const useInvoiceAction = (of: Pick<InvoiceRecord, '@id'>, action: string) =>
  useInvoiceMutation(
    (body: Record<string, unknown> = {}) => callApi<InvoiceRecord>('POST', `${of['@id']}/${action}`, body),
    [mailMessage, financeRequest],
  )

/** Preview of an invoice before issuing: the invoice, its postings and any problems. */
export interface InvoicePreview
  extends Pick<
    InvoiceRecord,
    'taxPoint' | 'suppliedOn' | 'total' | 'totals' | 'exchangeRate' | 'sterlingTax' | 'supplier' | 'buyer'
  > {
  /** VAT and amounts of each line. `line` is the line's IRI. */
  readonly lines: readonly (Pick<InvoiceRecord['lines'][number], keyof LineVat | 'reversePercent' | 'net' | 'tax'> & {
    readonly line: string
  })[]
  readonly problems: readonly { readonly propertyPath: string; readonly message: string }[]
  /** Warnings that don't prevent issuing. */
  readonly warnings: readonly { readonly propertyPath: string; readonly message: string }[]
  readonly fingerprint: string
}

export const useInvoicePreview = (
  of: Pick<InvoiceRecord, '@id' | 'updatedAt'>,
  enabled: boolean,
  supplied: string | null = null,
) =>
  useQuery({
    queryKey: [invoice.url, 'preview', of['@id'], of.updatedAt, supplied],
    queryFn: ({ signal }) =>
      callApi<InvoicePreview>('GET', `${of['@id']}/preview${supplied ? `?taxPoint=${supplied}` : ''}`, undefined, {
        signal,
      }),
    enabled,
    gcTime: 0,
  })

export const saveInvoicePdf = (of: Pick<InvoiceRecord, '@id' | 'number'>): Promise<void> =>
  downloadFile(`${of['@id']}/pdf`, `${of.number || 'Pro-forma'}.pdf`)
