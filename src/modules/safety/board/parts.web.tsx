import { packState } from '#kernel/packs.ts'
import { type Actor, hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import type { DashboardPart } from '#web/shell/manifest/dashboard.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { SafetyFiguresPanel } from './board.web.tsx'

/** Table of a reseller's clients. Loaded only when first shown, because few users are resellers. */
const OurClients = lazyComponent(async () => ({ default: (await import('./clients.web.tsx')).ResellerClients }))

/** Returns true for authors and approvers whose company has the safety pack. */
export const canSeeSafetyFigures = (actor: Actor): boolean =>
  actor.clientId !== PROVIDER_CLIENT_ID &&
  hasRole(actor, DOCUMENT_AUTHOR_ROLES) &&
  packState(actor, 'safety') !== 'none'

/** Returns true for resellers who can't list all clients. */
export const isResellerWithoutStaffRole = (actor: Actor): boolean =>
  hasRole(actor, 'ROLE_RESELLER') && !hasRole(actor, 'ROLE_STAFF')

/** Dashboard sections: authors and approvers see their own company's figures, resellers see their clients' figures. */
export const safetyDashboardParts: readonly DashboardPart[] = [
  {
    order: 8,
    isFor: canSeeSafetyFigures,
    draw: () => <SafetyFiguresPanel />,
  },
  {
    order: 6,
    isFor: isResellerWithoutStaffRole,
    draw: () => <OurClients />,
  },
]
