import { hasRole } from '#kernel/roles.ts'
import type { FirstStep } from '#web/shell/manifest/first-steps.ts'
import { client } from './clients/client.ts'
import { nav } from './nav.ts'

export default [
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
] satisfies FirstStep[]
