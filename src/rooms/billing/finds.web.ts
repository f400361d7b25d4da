import { formatMoney } from '#kernel/money.ts'
import { foundKind } from '#web/shell/faces/finds.ts'
import { customer } from './customers/customer.ts'
import { invoice } from './invoices/invoice.ts'
import { quote } from './quotes/quote.ts'

export default [
  foundKind({
    label: 'Customers',
    icon: 'money',
    resource: customer,
    params: () => ({ retired: false }),
    title: (c) => c.companyName || c.contactName || `Customer ${c.id}`,
    detail: (c) => [c.companyName ? c.contactName : null, c.email, c.telephone],
    href: (c) => `/crm/customer/${c.id}`,
  }),
  foundKind({
    label: 'Quotes',
    icon: 'file',
    resource: quote,
    title: (q) => [q.reference, q.company].filter(Boolean).join(' '),
    detail: (q) => [formatMoney(q.total ?? 0, q.currency ?? 'GBP'), q.replacedBy ? 'replaced' : q.state],
    href: (q) => `/crm/quote/${q.id}`,
  }),
  foundKind({
    label: 'Invoices',
    icon: 'money',
    resource: invoice,
    title: (i) => [i.number || 'Draft invoice', i.company].filter(Boolean).join(' '),
    detail: (i) => [formatMoney(i.total ?? 0, i.currency ?? 'GBP'), i.state],
    href: (i) => `/crm/invoice/${i.id}`,
  }),
]
