import { type Actor, hasRole, PROVIDER } from '#kernel/roles.ts'
import type { ModuleDashboard } from '#web/shell/manifest/dashboard.ts'
import { IDENTITY_NAV } from './nav.ts'
import { ClientPhoneBook } from './people/our-people.web.tsx'
import { user } from './people/user.ts'
import { RecentImpersonations } from './visits/who-came-in.web.tsx'

/** Client administrators; the provider's see their own work instead. */
const isFor = (actor: Actor) => hasRole(actor, 'ROLE_CLIENT_ADMIN') && !hasRole(actor, 'ROLE_STAFF')

export default {
  parts: [
    { order: 60, isFor, draw: () => <ClientPhoneBook /> },
    { order: 70, isFor, draw: () => <RecentImpersonations /> },
  ],
  firstSteps: [
    {
      order: 40,
      isFor: (actor) => actor.clientId !== PROVIDER && hasRole(actor, 'ROLE_CLIENT_ADMIN'),
      title: 'Add your users',
      about: 'Authors, approvers and employees. Each gets a sign-in by e-mail.',
      icon: IDENTITY_NAV.users.icon,
      to: IDENTITY_NAV.users.path,
      done: () => ({ url: user.url, from: 2 }),
    },
  ],
} satisfies ModuleDashboard
