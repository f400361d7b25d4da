import { type Actor, hasRole } from '#kernel/roles.ts'
import type { DashboardPart } from '#web/shell/manifest/dashboard.ts'
import { MyQuotes } from './quotes/my-quotes.web.tsx'
import { Day, OwnWeeks } from './sales-figures/day.web.tsx'
import { Overview } from './sales-figures/overview.web.tsx'

const sells = (actor: Actor) => hasRole(actor, 'ROLE_STAFF')
/** Whoever gives out leads looks at the work of all, and whoever has a team at that. */
const leads = (actor: Actor) => sells(actor) && (hasRole(actor, 'ROLE_LEADS_ADMIN') || (actor.team ?? []).length > 0)
const callsOnly = (actor: Actor) => sells(actor) && !hasRole(actor, 'ROLE_LEADS_ADMIN')

export default [
  { order: 4, isFor: leads, draw: () => <Overview /> },
  { order: 5, isFor: callsOnly, draw: () => <Day /> },
  { order: 30, isFor: sells, draw: () => <MyQuotes /> },
  { order: 35, isFor: callsOnly, draw: () => <OwnWeeks /> },
] satisfies DashboardPart[]
