import type { LayoutName, Page } from '#web/shell/pages/page.ts'

const ADMINS = ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'] as const
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

export const pages: readonly Page[] = [
  signIn('/', 'login'),
  signIn('/external/login', 'login'),
  signIn('/external/login-nologo', 'login-without-logo'),
  signIn('/external/reseller/login', 'reseller'),
  { path: '/login', title: 'Sign in', layout: 'login', open: true, checks: ['guest'], redirect: '/' },
  forgotten('', 'login'),
  forgotten('/external', 'login'),
  forgotten('/external/reseller', 'reseller'),
  {
    path: '/profile',
    title: 'My profile',
    load: () => import('./people/profile.web.tsx'),
    nav: { area: 'Home', icon: 'user', order: 2 },
  },
  {
    path: '/config/users/set-my-password/:id?',
    title: 'Set my password',
    valid: ({ id }) => whole(id),
    load: () => import('./passwords/set-password.web.tsx'),
  },
  {
    path: '/config/users',
    title: 'Users',
    allow: ADMINS,
    load: () => import('./people/users.web.tsx'),
    nav: { area: 'Settings', icon: 'users', order: 1 },
  },
  {
    path: '/config/roles',
    title: 'Roles',
    allow: 'ROLE_ROLES_ADMIN',
    load: () => import('./people/roles.web.tsx'),
    nav: { area: 'Settings', icon: 'shield', order: 2 },
  },
  {
    path: '/config/visits',
    title: 'Who came in',
    allow: ADMINS,
    load: () => import('./visits/visits.web.tsx'),
    nav: { area: 'Settings', icon: 'eye', order: 3 },
  },
]
