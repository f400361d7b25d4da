import { hasRole } from '#kernel/roles.ts'
import type { DashboardPart } from '#web/shell/manifest/dashboard.ts'
import { ShownBanner } from './banners/shown.web.tsx'
import { Shortcuts } from './home/shortcuts.web.tsx'

export default [
  { order: 0, isFor: () => true, draw: () => <ShownBanner kind="info" /> },
  { order: 100, isFor: () => true, draw: () => <ShownBanner kind="promo" /> },
  {
    order: 80,
    isFor: (actor) => !hasRole(actor, ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN', 'ROLE_RESELLER']),
    draw: () => <Shortcuts />,
  },
] satisfies DashboardPart[]
