import { hasRole } from '#kernel/roles.ts'
import type { FirstStep } from '#web/shell/manifest/first-steps.ts'
import { plan } from './catalogue/plan.ts'
import { nav } from './nav.ts'

export default [
  {
    order: 10,
    isFor: (actor) => hasRole(actor, 'ROLE_BILLING_ADMIN'),
    title: 'Say what you sell',
    about: 'Products with a price by the month, the year or the piece: quotes are made of them.',
    icon: nav.catalogue.icon,
    to: nav.catalogue.path,
    done: () => ({ url: plan.url, from: 1 }),
  },
] satisfies FirstStep[]
