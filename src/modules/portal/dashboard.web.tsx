import { hasRole } from '#kernel/roles.ts'
import type { ModuleDashboard } from '#web/shell/manifest/dashboard.ts'
import { ShownBanner } from './banners/shown.web.tsx'
import { client } from './clients/client.ts'
import { Shortcuts } from './home/shortcuts.web.tsx'
import { nav } from './nav.ts'

export default {
  parts: [
    { order: 0, isFor: () => true, draw: () => <ShownBanner kind="info" /> },
    { order: 100, isFor: () => true, draw: () => <ShownBanner kind="promo" /> },
    {
      order: 80,
      isFor: (actor) => !hasRole(actor, ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN', 'ROLE_RESELLER']),
      draw: () => <Shortcuts />,
    },
  ],
  firstSteps: [
    {
      order: 30,
      isFor: (actor) => hasRole(actor, 'ROLE_CLIENTS_ADMIN'),
      title: 'Set up your first client',
      about: 'A company, its packs, and its administrator.',
      icon: nav.clients.icon,
      to: nav.clients.path,
      // The provider is one itself.
      done: () => ({ url: client.url, from: 2 }),
    },
  ],
} satisfies ModuleDashboard
