import { foundKind } from '#web/shell/faces/finds.ts'
import { contact } from './contacts/contact.ts'

export default [
  foundKind({
    label: 'Leads',
    icon: 'phone',
    resource: contact,
    title: (l) => l.companyName || l.name || `Lead ${l.id}`,
    detail: (l) => [l.companyName ? l.name : null, l.phone, l.city],
    href: (l) => `/crm/contact/view/${l.id}`,
  }),
]
