import { searchGroup } from '#web/shell/manifest/search.ts'
import { contact } from './contacts/contact.ts'
import { contactPerson, formatPersonName } from './people/person.ts'

export default [
  searchGroup({
    label: 'Leads',
    icon: 'phone',
    resource: contact,
    title: (l) => l.companyName || l.name || `Lead ${l.id}`,
    detail: (l) => [l.companyName ? l.name : null, l.phone, l.city],
    href: (l) => `/crm/contact/view/${l.id}`,
  }),
  searchGroup({
    label: 'Contacts',
    icon: 'users',
    resource: contactPerson,
    title: formatPersonName,
    detail: (p) => [p.jobTitle, p.contact.companyName, p.telephone || p.mobile],
    href: (p) => `/crm/contact/view/${p.contact.id}`,
    params: () => ({ retired: false }),
  }),
]
