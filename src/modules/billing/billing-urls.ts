import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'

export interface BillingUrls {
  readonly invoices: string
  readonly invoice: (id: number) => string
  readonly newInvoice: string
  readonly overdue: string
  readonly quotes: string
  readonly quote: (id: number) => string
  readonly newQuote: string
  readonly customers: string
  readonly customer: (id: number) => string
  readonly charges: string
  readonly charge: (id: number) => string
  readonly subscription: (id: number) => string
  readonly ledger: string
  readonly transaction: (id: number) => string
  readonly approvals: string
  readonly vatReturns: string
  readonly vatReturn: (id: number) => string
}

const PROVIDERS: BillingUrls = {
  invoices: '/crm/invoices',
  invoice: (id) => `/crm/invoice/${id}`,
  newInvoice: '/crm/invoice',
  overdue: '/crm/overdue',
  quotes: '/crm/quotes',
  quote: (id) => `/crm/quote/${id}`,
  newQuote: '/crm/quote',
  customers: '/crm/customers',
  customer: (id) => `/crm/customer/${id}`,
  charges: '/crm/charges',
  charge: (id) => `/crm/charge/${id}`,
  subscription: (id) => `/crm/subscription/${id}`,
  ledger: '/crm/ledger',
  transaction: (id) => `/crm/ledger/${id}`,
  approvals: '/crm/approvals',
  vatReturns: '/crm/vat',
  vatReturn: (id) => `/crm/vat/${id}`,
}

const CLIENTS: BillingUrls = {
  invoices: '/invoice',
  invoice: (id) => `/invoice/view/${id}`,
  newInvoice: '/invoice/create',
  overdue: '/invoice/overdue',
  quotes: '/invoice/quote',
  quote: (id) => `/invoice/quote/view/${id}`,
  newQuote: '/invoice/quote/create',
  customers: '/invoice/customer',
  customer: (id) => `/invoice/customer/${id}`,
  charges: '/invoice/payment',
  charge: (id) => `/invoice/payment/${id}`,
  subscription: (id) => `/invoice/subscription/${id}`,
  ledger: '/invoice/ledger',
  transaction: (id) => `/invoice/ledger/${id}`,
  approvals: '/invoice/approvals',
  vatReturns: '/invoice/vat',
  vatReturn: (id) => `/invoice/vat/${id}`,
}

/**
 * Returns the URLs of the billing screens. The screens are the same for everybody, but the provider's are under Sales
 * and clients' are under Invoicing.
 */
export const billingUrls = (clientId: number): BillingUrls => (clientId === PROVIDER_CLIENT_ID ? PROVIDERS : CLIENTS)
