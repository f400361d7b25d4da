import { type Actor, hasRole } from '#kernel/roles.ts'
import type { ModuleDashboard } from '#web/shell/manifest/dashboard.ts'
import { plan } from './catalogue/plan.ts'
import { nav } from './nav.ts'
import { MyQuotes } from './quotes/my-quotes.web.tsx'
import { Day, OwnWeeks } from './sales-figures/day.web.tsx'
import { Overview } from './sales-figures/overview.web.tsx'

const sells = (actor: Actor) => hasRole(actor, 'ROLE_STAFF')
/** Whoever gives out leads looks at the work of all, and whoever has a team at that. */
const leads = (actor: Actor) => sells(actor) && (hasRole(actor, 'ROLE_LEADS_ADMIN') || (actor.team ?? []).length > 0)
const callsOnly = (actor: Actor) => sells(actor) && !hasRole(actor, 'ROLE_LEADS_ADMIN')

export default {
  parts: [
    { order: 4, isFor: leads, draw: () => <Overview /> },
    { order: 5, isFor: callsOnly, draw: () => <Day /> },
    { order: 30, isFor: sells, draw: () => <MyQuotes /> },
    { order: 35, isFor: callsOnly, draw: () => <OwnWeeks /> },
  ],
  firstSteps: [
    {
      order: 10,
      isFor: (actor) => hasRole(actor, 'ROLE_BILLING_ADMIN'),
      title: 'Say what you sell',
      about: 'Products with a price by the month, the year or the piece: quotes are made of them.',
      icon: nav.catalogue.icon,
      to: nav.catalogue.path,
      done: () => ({ url: plan.url, from: 1 }),
    },
  ],
} satisfies ModuleDashboard
