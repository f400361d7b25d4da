import { type Actor, hasRole, PROVIDER } from '#kernel/roles.ts'
import type { ModuleDashboard } from '#web/shell/manifest/dashboard.ts'
import { nav } from './nav.ts'
import { OurPeople } from './people/our-people.web.tsx'
import { user } from './people/user.ts'
import { WhoCameIn } from './visits/who-came-in.web.tsx'

/** Client administrators; the provider's see their own work instead. */
const isFor = (actor: Actor) => hasRole(actor, 'ROLE_CLIENT_ADMIN') && !hasRole(actor, 'ROLE_STAFF')

export default {
  parts: [
    { order: 60, isFor, draw: () => <OurPeople /> },
    { order: 70, isFor, draw: () => <WhoCameIn /> },
  ],
  firstSteps: [
    {
      order: 40,
      isFor: (actor) => actor.clientId !== PROVIDER && hasRole(actor, 'ROLE_CLIENT_ADMIN'),
      title: 'Add your users',
      about: 'Authors, approvers and employees. Each gets a sign-in by e-mail.',
      icon: nav.users.icon,
      to: nav.users.path,
      done: () => ({ url: user.url, from: 2 }),
    },
  ],
} satisfies ModuleDashboard
