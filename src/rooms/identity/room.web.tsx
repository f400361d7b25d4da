import type { Page } from '#web/shell/page.ts'

export const pages: readonly Page[] = [
  {
    path: '/',
    title: 'Sign in',
    layout: 'login',
    open: true,
    checks: ['guest'],
    load: () => import('./sign-in.web.tsx'),
  },
]
