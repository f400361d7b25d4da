import { formatMoney } from '#kernel/money.ts'
import { searchGroup } from '#web/shell/manifest/search.ts'
import { billingUrls } from './billing-urls.ts'
import { customer } from './customers/customer.ts'
import { invoice } from './invoices/invoice.ts'
import { quote } from './quotes/quote.ts'

export default [
  searchGroup({
    label: 'Customers',
    icon: 'money',
    resource: customer,
    params: () => ({ retired: false }),
    title: (c) => c.companyName || c.contactName || `Customer ${c.id}`,
    detail: (c) => [c.companyName ? c.contactName : null, c.email, c.telephone],
    href: (c, { clientId }) => billingUrls(clientId).customer(c.id),
  }),
  searchGroup({
    label: 'Quotes',
    icon: 'file',
    resource: quote,
    title: (q) => [q.reference, q.company].filter(Boolean).join(' '),
    detail: (q) => [formatMoney(q.total ?? 0, q.currency ?? 'GBP'), q.replacedBy ? 'replaced' : q.state],
    href: (q, { clientId }) => billingUrls(clientId).quote(q.id),
  }),
  searchGroup({
    label: 'Invoices',
    icon: 'money',
    resource: invoice,
    title: (i) => [i.number || 'Draft invoice', i.company].filter(Boolean).join(' '),
    detail: (i) => [formatMoney(i.total ?? 0, i.currency ?? 'GBP'), i.state],
    href: (i, { clientId }) => billingUrls(clientId).invoice(i.id),
  }),
]
