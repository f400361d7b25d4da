import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { call } from '#web/api/client.ts'
import { saveFile } from '#web/uploads/fetch.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from './invoice.ts'

export type Invoice = RecordOf<typeof invoice>

/** Something done with invoices: they are read again, and so are their customers, and what `also` is. */
export function useInvoiceCall<T, V = void>(send: (what: V) => Promise<T>, also: readonly Resource[] = []) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: () =>
      Promise.all([invoice, customer, ...also].map((r) => queries.invalidateQueries({ queryKey: [r.url] }))),
  })
}

/** `issue`, `void` … with what it asks for. */
export const useInvoiceAction = (of: Pick<Invoice, '@id'>, action: string) =>
  useInvoiceCall((body: Record<string, unknown> = {}) => call<Invoice>('POST', `${of['@id']}/${action}`, body))

/** What would be issued now, what would be posted, and what stands in the way. */
export interface InvoicePreview
  extends Pick<Invoice, 'taxPoint' | 'total' | 'totals' | 'exchangeRate' | 'sterlingTax' | 'supplier' | 'buyer'> {
  /** What VAT each line would have. */
  readonly lines: readonly (Pick<Invoice['lines'][number], 'taxCode' | 'taxPercent' | 'net' | 'tax'> & {
    readonly line: string
  })[]
  readonly problems: readonly { readonly propertyPath: string; readonly message: string }[]
  /** What does not stand in the way, and should be known. */
  readonly warnings: readonly { readonly propertyPath: string; readonly message: string }[]
  readonly fingerprint: string
}

export const usePreview = (of: Pick<Invoice, '@id' | 'updatedAt'>, enabled: boolean) =>
  useQuery({
    queryKey: [invoice.url, 'preview', of['@id'], of.updatedAt],
    queryFn: ({ signal }) => call<InvoicePreview>('GET', `${of['@id']}/preview`, undefined, { signal }),
    enabled,
    gcTime: 0,
  })

/** Saves the invoice as a PDF. */
export const savePdf = (of: Pick<Invoice, '@id' | 'number'>): Promise<void> =>
  saveFile(`${of['@id']}/pdf`, `${of.number || 'Pro-forma'}.pdf`)
