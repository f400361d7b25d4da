import { packState } from '#kernel/packs.ts'
import { type Actor, hasRole, PROVIDER } from '#kernel/roles.ts'
import { AUTHORS } from '#modules/documents/rights.ts'
import type { DashboardPart } from '#web/shell/manifest/dashboard.ts'
import { lazily } from '#web/ui/lazily.tsx'
import { Board } from './board.web.tsx'

/** Few carry clients: the table of them comes when it is drawn. */
const OurClients = lazily(async () => ({ default: (await import('./clients.web.tsx')).OurClients }))

/** True for authors and approvers of a company with the safety pack. */
export const hasBoard = (actor: Actor): boolean =>
  actor.clientId !== PROVIDER && hasRole(actor, AUTHORS) && packState(actor, 'safety') !== 'none'

/** True for resellers who can't list all clients. */
export const carriesClients = (actor: Actor): boolean =>
  hasRole(actor, 'ROLE_RESELLER') && !hasRole(actor, 'ROLE_STAFF')

/** Dashboard parts: figures of one's own company for authors and approvers, figures of their clients for resellers. */
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
