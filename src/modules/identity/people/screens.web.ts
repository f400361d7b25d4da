import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { IDENTITY_NAV } from '../nav.ts'

const whole = (id: string | undefined) => id === undefined || /^[1-9]\d{0,9}$/.test(id)

export const people = screens({
  pages: [
    { ...pageFromNavigation(IDENTITY_NAV.profile), load: () => import('../profile/profile.web.tsx') },
    { ...pageFromNavigation(IDENTITY_NAV.security), load: () => import('../profile/security.web.tsx') },
    {
      path: '/config/users/set-my-password/:id?',
      title: 'Change my password',
      valid: ({ id }) => whole(id),
      load: () => import('../passwords/set-password.web.tsx'),
    },
    { ...pageFromNavigation(IDENTITY_NAV.users), load: () => import('./users.web.tsx') },
    { ...pageFromNavigation(IDENTITY_NAV.roles), load: () => import('./roles.web.tsx') },
    { ...pageFromNavigation(IDENTITY_NAV.securityLog), load: () => import('../security-log/security-log.web.tsx') },
    { ...pageFromNavigation(IDENTITY_NAV.confidentialReads), load: () => import('../confidential-reads/list.web.tsx') },
    { ...pageFromNavigation(IDENTITY_NAV.visits), load: () => import('../impersonations/impersonations.web.tsx') },
  ],
})
