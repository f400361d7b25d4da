import { screens } from '#web/shell/manifest/module.ts'
import type { LayoutName, Page } from '#web/shell/manifest/page.ts'

const signIn = (path: string, layout: LayoutName): Page => ({
  path,
  title: 'Sign in',
  layout,
  open: true,
  checks: ['guest'],
  load: () => import('./sign-in.web.tsx'),
})

const forgotten = (path: string, layout: LayoutName): Page => ({
  path: `${path}/forgotten-my-password/:token?`,
  title: 'Forgotten password',
  layout,
  open: true,
  load: () => import('../passwords/forgotten.web.tsx'),
})

export const sessions = screens({
  pages: [
    signIn('/', 'login'),
    signIn('/external/login', 'login'),
    signIn('/external/login-nologo', 'login-without-logo'),
    signIn('/external/reseller/login', 'reseller'),
    { path: '/login', title: 'Sign in', layout: 'login', open: true, checks: ['guest'], redirect: '/' },
    forgotten('', 'login'),
    forgotten('/external', 'login'),
    forgotten('/external/reseller', 'reseller'),
  ],
})
