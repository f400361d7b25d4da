import { packState } from '#kernel/packs.ts'
import { type Actor, hasRole, PROVIDER } from '#kernel/roles.ts'
import { AUTHORS } from '#modules/documents/rights.ts'
import type { DashboardPart } from '#web/shell/manifest/dashboard.ts'
import { lazily } from '#web/ui/lazily.tsx'
import { Board } from './board.web.tsx'

/** Few carry clients: the table of them comes when it is drawn. */
const OurClients = lazily(async () => ({ default: (await import('./clients.web.tsx')).OurClients }))

/** Whoever writes and decides on the documents of a company that has the safety pack. */
export const hasBoard = (actor: Actor): boolean =>
  actor.clientId !== PROVIDER && hasRole(actor, AUTHORS) && packState(actor, 'safety') !== 'none'

/** Whoever carries clients, and has no list of all. */
export const carriesClients = (actor: Actor): boolean =>
  hasRole(actor, 'ROLE_RESELLER') && !hasRole(actor, 'ROLE_STAFF')

/** The figures of a company's documents for those who write and decide on them, those of a reseller's clients for the reseller. */
export const parts: readonly DashboardPart[] = [
  {
    order: 8,
    isFor: hasBoard,
    draw: () => <Board />,
  },
  {
    order: 6,
    isFor: carriesClients,
    draw: () => <OurClients />,
  },
]
