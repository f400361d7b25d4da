import { joinFeatures } from '#server/engine/module.ts'
import { acceptance } from './acceptance/acceptance.server.ts'
import { raisedLimits } from './approvals/raised-limits.server.ts'
import { bank } from './bank/bank.server.ts'
import { cards } from './cards/routes.server.ts'
import { catalogue } from './catalogue/catalogue.server.ts'
import { clientInvoicing } from './client-invoicing/invoice-settings.server.ts'
import { congratulations } from './congratulations/applause.server.ts'
import { coupons } from './coupons/coupons.server.ts'
import { credits } from './credits/credit.server.ts'
import { customers } from './customers/customer.server.ts'
import { debtors } from './debtors/debtors.server.ts'
import { dunningFeature } from './dunning/dunning.server.ts'
import { quoteEmails } from './emails/emails.server.ts'
import { financeRequests } from './finance-requests/finance-request.server.ts'
import { invoices } from './invoices/invoice.server.ts'
import { ledger } from './ledger/ledger.server.ts'
import { billingNav } from './nav.ts'
import { payLinks } from './pay-links/routes.server.ts'
import { payments } from './payments/payments.server.ts'
import { quotes } from './quotes/quote.server.ts'
import { receivedInvoices } from './received-invoices/routes.server.ts'
import { recurringRevenue } from './recurring/recurring.server.ts'
import { renewals } from './renewals/renewals.server.ts'
import { salesFigures } from './sales-figures/figures.server.ts'
import { statements } from './statements/statement.server.ts'
import { stock } from './stock/stock.server.ts'
import { subscriptions } from './subscriptions/routes.server.ts'
import { vat } from './vat/vat.server.ts'

export const billingModule = joinFeatures('billing', [
  catalogue,
  stock,
  coupons,
  customers,
  cards,
  quoteEmails,
  quotes,
  acceptance,
  congratulations,
  clientInvoicing,
  invoices,
  credits,
  ledger,
  vat,
  debtors,
  statements,
  recurringRevenue,
  subscriptions,
  renewals,
  payments,
  financeRequests,
  raisedLimits,
  payLinks,
  dunningFeature,
  bank,
  salesFigures,
  receivedInvoices,
  { navigation: billingNav, seeds: () => import('./demo.server.ts') },
])
