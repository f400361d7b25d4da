import type { Module } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { acceptanceRoutes } from './acceptance/routes.server.ts'
import { bankBehaviour, bankRoutes } from './bank/bank.server.ts'
import { bankLine, bankStatement } from './bank/bank-line.ts'
import { cardBehaviour } from './cards/card.server.ts'
import { card } from './cards/card.ts'
import { payPages } from './cards/pay-page.server.ts'
import { cardRoutes } from './cards/routes.server.ts'
import { catalogueBehaviours } from './catalogue/catalogue.server.ts'
import { coupon } from './catalogue/coupon.ts'
import { plan, price, sku } from './catalogue/plan.ts'
import { billingApplication, product } from './catalogue/product.ts'
import { taxReference } from './catalogue/reference.server.ts'
import { taxRate } from './catalogue/tax-rate.ts'
import { invoiceSettingsBehaviour } from './client-invoicing/invoice-settings.server.ts'
import { invoiceSettings } from './client-invoicing/invoice-settings.ts'
import { commands } from './commands.server.ts'
import { applauseRoute } from './congratulations/applause.server.ts'
import { creditBehaviour } from './credits/credit.server.ts'
import { creditNote, creditNoteLine } from './credits/credit-note.ts'
import { creditListeners } from './credits/letters.server.ts'
import { creditRoutes } from './credits/routes.server.ts'
import { balanceChange } from './customers/balance-change.ts'
import { batchBehaviour, batchRoutes } from './customers/batch.server.ts'
import { customerBatch, customerBatchLine } from './customers/batch.ts'
import { customerRun } from './customers/batch-run.server.ts'
import { customerBehaviour } from './customers/customer.server.ts'
import { customer } from './customers/customer.ts'
import { insuranceBehaviour } from './customers/insurance-sale.server.ts'
import { insuranceSale } from './customers/insurance-sale.ts'
import { debtorRoutes } from './debtors/debtors.server.ts'
import { chargedOn, collectDue, dunningDaily } from './dunning/collect.server.ts'
import { dunning, dunningStep } from './dunning/dunning.ts'
import { expiryReminder } from './dunning/expiry.server.ts'
import { chargeHasFailed, invoiceHasMoved } from './dunning/follow.server.ts'
import { pastDueDaily } from './dunning/past-due.server.ts'
import { dunningRoutes } from './dunning/routes.server.ts'
import { dunningReference, dunningSettingsBehaviour } from './dunning/settings.server.ts'
import { dunningSettings } from './dunning/settings.ts'
import { withInvoices } from './invoices/customers-invoices.server.ts'
import { deferredIncome } from './invoices/deferred-income.ts'
import { earnDaily } from './invoices/earn.server.ts'
import { invoiceBehaviour } from './invoices/invoice.server.ts'
import { invoice, invoiceLine } from './invoices/invoice.ts'
import { invoiceListeners } from './invoices/letters.server.ts'
import { invoiceRoutes } from './invoices/routes.server.ts'
import { ledgerBehaviours } from './ledger/ledger.server.ts'
import { ledgerEntry, ledgerLock, ledgerTransaction } from './ledger/ledger.ts'
import { postCounted } from './ledger/post.server.ts'
import { ledgerRoutes } from './ledger/reports.server.ts'
import { customersLink } from './letters/letter.server.ts'
import { quoteLink } from './letters/quote-link.ts'
import { quoteSettings } from './letters/settings.ts'
import { nav } from './nav.ts'
import { payLinkSchedules } from './pay-links/entered.server.ts'
import { payLinkInLetters } from './pay-links/link.server.ts'
import { payLink } from './pay-links/pay-link.ts'
import { payLinkRoutes } from './pay-links/routes.server.ts'
import { charge } from './payments/charge.ts'
import { withPayments } from './payments/customers-payments.server.ts'
import { paymentSchedules } from './payments/jobs.server.ts'
import { payBack } from './payments/pay-back.server.ts'
import { paymentReference } from './payments/reference.server.ts'
import { payRefund, refundBehaviour } from './payments/refund.server.ts'
import { refund } from './payments/refund.ts'
import { paymentRoutes } from './payments/routes.server.ts'
import { paymentSettings } from './payments/settings.ts'
import { webhookEvent } from './payments/webhook-event.ts'
import { lookInto, webhookBehaviour } from './payments/webhooks.server.ts'
import { couponInUse } from './quotes/coupon-in-use.server.ts'
import { customersQuotes } from './quotes/customers-quotes.server.ts'
import { discountApprovalBehaviour } from './quotes/discount-approval.server.ts'
import { discountApproval } from './quotes/discount-approval.ts'
import { quoteListeners, quoteSchedules } from './quotes/jobs.server.ts'
import { quoteBehaviour } from './quotes/quote.server.ts'
import { quote, quoteLine } from './quotes/quote.ts'
import { quoteNotice } from './quotes/quote-notice.server.ts'
import { redemption } from './quotes/redemption.ts'
import { quoteReference } from './quotes/reference.server.ts'
import { quoteRoutes } from './quotes/routes.server.ts'
import { quoteStatus } from './quotes/status.ts'
import { billRoutes } from './received-invoices/routes.server.ts'
import { recurringRoutes } from './recurring/recurring.server.ts'
import { renewalRoutes } from './renewals/renewals.server.ts'
import { BOOKS } from './rights.ts'
import { billingRoutes } from './routes.server.ts'
import { salesFigures } from './sales-figures/figures.server.ts'
import { statementRoutes } from './statements/statement.server.ts'
import { countStock, stockBehaviour } from './stock/stock.server.ts'
import { stockMovement } from './stock/stock-movement.ts'
import { subscriptionChange } from './subscriptions/change.ts'
import { withSubscriptions } from './subscriptions/customers-subscriptions.server.ts'
import { soldInSubscriptions } from './subscriptions/in-use.server.ts'
import { billingRun, subscriptionListeners, subscriptionSchedules } from './subscriptions/jobs.server.ts'
import { billingRunBehaviour, subscriptionRoutes } from './subscriptions/routes.server.ts'
import { billingRunRecord } from './subscriptions/run.ts'
import { sellQuote } from './subscriptions/sell.server.ts'
import { subscriptionBehaviour } from './subscriptions/subscription.server.ts'
import { subscription, subscriptionItem } from './subscriptions/subscription.ts'
import { nextInvoices } from './subscriptions/upcoming.server.ts'

/** All but what the bearers of links ask for belongs to the pack: they are nobody of the client. */
const inBooks = (routes: readonly Route[]): readonly Route[] =>
  routes.map((route) => (route.allow === 'anonymous' ? route : { ...route, pack: BOOKS }))

export const billing: Module = {
  name: 'billing',
  navigation: nav,
  resources: [
    customer,
    product,
    billingApplication,
    plan,
    sku,
    price,
    stockMovement,
    coupon,
    taxRate,
    card,
    insuranceSale,
    customerBatch,
    customerBatchLine,
    quote,
    quoteLine,
    invoice,
    invoiceLine,
    creditNote,
    creditNoteLine,
    deferredIncome,
    redemption,
    balanceChange,
    ledgerTransaction,
    ledgerEntry,
    ledgerLock,
    subscription,
    subscriptionItem,
    subscriptionChange,
    billingRunRecord,
    quoteStatus,
    quoteLink,
    quoteSettings,
    invoiceSettings,
    charge,
    refund,
    webhookEvent,
    paymentSettings,
    payLink,
    discountApproval,
    bankStatement,
    bankLine,
    dunning,
    dunningStep,
    dunningSettings,
  ],
  links: [customersLink, payLinkInLetters],
  behaviours: [
    ...catalogueBehaviours({ ...soldInSubscriptions, ...couponInUse }, countStock),
    ...ledgerBehaviours,
    invoiceSettingsBehaviour,
    stockBehaviour,
    customerBehaviour(withPayments(withSubscriptions(withInvoices(customersQuotes))), postCounted),
    cardBehaviour,
    insuranceBehaviour,
    batchBehaviour,
    quoteBehaviour(sellQuote, nextInvoices),
    subscriptionBehaviour,
    billingRunBehaviour,
    refundBehaviour,
    bankBehaviour,
    discountApprovalBehaviour,
    webhookBehaviour,
    invoiceBehaviour,
    creditBehaviour(payBack),
    dunningSettingsBehaviour,
  ],
  routes: inBooks([
    ...billingRoutes,
    applauseRoute,
    ...cardRoutes,
    ...batchRoutes,
    ...payPages,
    ...quoteRoutes,
    ...invoiceRoutes,
    ...creditRoutes,
    ...statementRoutes,
    ...acceptanceRoutes,
    ...ledgerRoutes,
    ...debtorRoutes,
    ...recurringRoutes,
    ...renewalRoutes,
    ...subscriptionRoutes,
    salesFigures,
    ...paymentRoutes,
    ...payLinkRoutes,
    ...bankRoutes,
    ...dunningRoutes,
  ]).concat(billRoutes),
  handlers: [
    ...quoteListeners,
    ...subscriptionListeners,
    ...invoiceListeners(chargedOn),
    ...creditListeners,
    payRefund,
    lookInto,
    collectDue,
    chargeHasFailed,
    invoiceHasMoved,
  ],
  schedules: [
    ...quoteSchedules,
    ...subscriptionSchedules,
    earnDaily,
    ...paymentSchedules,
    ...payLinkSchedules,
    pastDueDaily,
    dunningDaily,
    expiryReminder,
  ],
  commands,
  notifications: [quoteNotice],
  batchJobs: [customerRun, billingRun],
  referenceData: [taxReference, quoteReference, paymentReference, dunningReference],
  demo: () => import('./demo.server.ts'),
}
