import type { WebModule } from '#web/shell/manifest/module.ts'
import { type LayoutName, type Page, pageAt } from '#web/shell/manifest/page.ts'
import { nav } from './nav.ts'

const whole = (id: string | undefined) => id === undefined || /^[1-9]\d{0,9}$/.test(id)

const signIn = (path: string, layout: LayoutName): Page => ({
  path,
  title: 'Sign in',
  layout,
  open: true,
  checks: ['guest'],
  load: () => import('./sessions/sign-in.web.tsx'),
})
const forgotten = (path: string, layout: LayoutName): Page => ({
  path: `${path}/forgotten-my-password/:token?`,
  title: 'Forgotten my password',
  layout,
  open: true,
  load: () => import('./passwords/forgotten.web.tsx'),
})

const pages: readonly Page[] = [
  signIn('/', 'login'),
  signIn('/external/login', 'login'),
  signIn('/external/login-nologo', 'login-without-logo'),
  signIn('/external/reseller/login', 'reseller'),
  { path: '/login', title: 'Sign in', layout: 'login', open: true, checks: ['guest'], redirect: '/' },
  forgotten('', 'login'),
  forgotten('/external', 'login'),
  forgotten('/external/reseller', 'reseller'),
  { ...pageAt(nav.profile), load: () => import('./profile/profile.web.tsx') },
  { ...pageAt(nav.security), load: () => import('./profile/security.web.tsx') },
  {
    path: '/config/users/set-my-password/:id?',
    title: 'Set my password',
    valid: ({ id }) => whole(id),
    load: () => import('./passwords/set-password.web.tsx'),
  },
  { ...pageAt(nav.users), load: () => import('./people/users.web.tsx') },
  { ...pageAt(nav.roles), load: () => import('./people/roles.web.tsx') },
  { ...pageAt(nav.securityLog), load: () => import('./security-log/security-log.web.tsx') },
  { ...pageAt(nav.visits), load: () => import('./visits/visits.web.tsx') },
]

export const identity: WebModule = {
  pages,
  dashboard: () => import('./dashboard.web.tsx'),
  help: () => import('./help.web.ts'),
}
