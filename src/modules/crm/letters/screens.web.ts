import { screens } from '#web/shell/manifest/module.ts'
import { pageAt } from '#web/shell/manifest/page.ts'
import { nav } from '../nav.ts'

export const letters = screens({
  pages: [
    { ...pageAt(nav.suppressions), load: () => import('./suppressions.web.tsx') },
    { ...pageAt(nav.letters), load: () => import('./list.web.tsx') },
    {
      path: '/letters/retired',
      title: 'Retired letters',
      under: nav.letters.path,
      load: () => import('./list.web.tsx'),
      allow: 'ROLE_STAFF',
    },
    {
      path: '/letters/update/:id?',
      title: 'Letter',
      begins: 'New letter',
      under: nav.letters.path,
      valid: ({ id }) => id === undefined || /^\d+$/.test(id),
      load: () => import('./update.web.tsx'),
      allow: 'ROLE_STAFF',
    },
    {
      path: '/letters/assigned/:slug?',
      title: 'Printed letters',
      under: nav.letters.path,
      valid: ({ slug }) => slug === undefined || /^\d+$/.test(slug),
      load: () => import('./assigned.web.tsx'),
      allow: 'ROLE_STAFF',
    },
  ],
})
