import { hasRole } from '#kernel/roles.ts'
import type { FirstStep } from '#web/shell/manifest/first-steps.ts'
import { contact } from './contacts/contact.ts'
import { nav } from './nav.ts'

export default [
  {
    order: 20,
    isFor: (actor) => hasRole(actor, 'ROLE_LEADS_ADMIN'),
    title: 'Bring in your leads',
    about: 'From a CSV file, with a trial run and undo.',
    icon: nav.imports.icon,
    to: nav.imports.path,
    done: () => ({ url: contact.url, from: 1 }),
  },
] satisfies FirstStep[]
