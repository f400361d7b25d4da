import { packState } from '#kernel/packs.ts'
import { holds, PROVIDER } from '#kernel/roles.ts'
import { AUTHORS } from '#rooms/documents/rights.ts'
import type { DashboardPart } from '#web/shell/faces/dashboard.ts'
import { Board } from './board.web.tsx'
import { OurClients } from './clients.web.tsx'

/** The figures of a company's documents for those who write and decide on them, those of a reseller's clients for the reseller. */
export const parts: readonly DashboardPart[] = [
  {
    order: 8,
    isFor: (actor) => actor.clientId !== PROVIDER && holds(actor, AUTHORS) && packState(actor, 'safety') !== 'none',
    draw: () => <Board />,
  },
  {
    order: 6,
    isFor: (actor) => holds(actor, 'ROLE_RESELLER') && !holds(actor, 'ROLE_STAFF'),
    draw: () => <OurClients />,
  },
]
