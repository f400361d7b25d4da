import { packState } from '#kernel/packs.ts'
import { type Actor, hasRole, PROVIDER } from '#kernel/roles.ts'
import { DOCUMENT_AUTHORS } from '#modules/documents/rights.ts'
import type { DashboardPart } from '#web/shell/manifest/dashboard.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { SafetyBoard } from './board.web.tsx'

/** Table of a reseller's clients, loaded on first render as few users are resellers. */
const OurClients = lazyComponent(async () => ({ default: (await import('./clients.web.tsx')).ResellerClients }))

/** True for authors and approvers of a company with the safety pack. */
export const hasSafetyBoard = (actor: Actor): boolean =>
  actor.clientId !== PROVIDER && hasRole(actor, DOCUMENT_AUTHORS) && packState(actor, 'safety') !== 'none'

/** True for resellers who can't list all clients. */
export const hasResellerClients = (actor: Actor): boolean =>
  hasRole(actor, 'ROLE_RESELLER') && !hasRole(actor, 'ROLE_STAFF')

/**
 * Dashboard parts: figures of the user's own company for authors and approvers, figures of their clients for resellers.
 */
export const safetyBoardParts: readonly DashboardPart[] = [
  {
    order: 8,
    isFor: hasSafetyBoard,
    draw: () => <SafetyBoard />,
  },
  {
    order: 6,
    isFor: hasResellerClients,
    draw: () => <OurClients />,
  },
]
