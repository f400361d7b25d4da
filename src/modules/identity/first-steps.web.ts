import { hasRole, PROVIDER } from '#kernel/roles.ts'
import type { FirstStep } from '#web/shell/manifest/first-steps.ts'
import { nav } from './nav.ts'
import { user } from './people/user.ts'

export default [
  {
    order: 40,
    isFor: (actor) => actor.clientId !== PROVIDER && hasRole(actor, 'ROLE_CLIENT_ADMIN'),
    title: 'Add your people',
    about: 'Who writes, who approves, who reads and signs. Each gets a sign-in by e-mail.',
    icon: nav.users.icon,
    to: nav.users.path,
    done: () => ({ url: user.url, from: 2 }),
  },
] satisfies FirstStep[]
