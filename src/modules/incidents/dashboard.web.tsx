import { isNavigationEntryShown } from '#kernel/packs.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import actionsDashboard from '#modules/actions/dashboard.web.tsx'
import type { ModuleDashboard } from '#web/shell/manifest/dashboard.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { incidentsNav } from './nav.ts'
import { INCIDENT_BOOK_ROLES } from './rights.ts'

/** Loaded later, because its declarations are large. */
const OpenIncidents = lazyComponent(() => import('./open-incidents.web.tsx'))

/** Declared with the corrective actions' section, because each file of the dashboard costs a request. */
export default {
  parts: [
    ...actionsDashboard.parts,
    {
      order: 41,
      isFor: (actor) =>
        actor.clientId !== PROVIDER_CLIENT_ID &&
        hasRole(actor, INCIDENT_BOOK_ROLES) &&
        isNavigationEntryShown(actor, incidentsNav.book),
      draw: () => <OpenIncidents />,
    },
  ],
} satisfies ModuleDashboard
