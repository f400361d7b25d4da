import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { crmNav } from '../nav.ts'

export const letters = screens({
  pages: [
    { ...pageFromNavigation(crmNav.suppressions), load: () => import('./suppressions.web.tsx') },
    { ...pageFromNavigation(crmNav.letters), load: () => import('./list.web.tsx') },
    {
      path: '/letters/retired',
      title: 'Retired letters',
      under: crmNav.letters.path,
      load: () => import('./list.web.tsx'),
      allow: 'ROLE_STAFF',
    },
    {
      path: '/letters/update/:id?',
      title: 'Letter',
      begins: 'New letter',
      under: crmNav.letters.path,
      valid: ({ id }) => id === undefined || /^\d+$/.test(id),
      load: () => import('./editor.web.tsx'),
      allow: 'ROLE_STAFF',
    },
    {
      path: '/letters/assigned/:slug?',
      title: 'Printed letters',
      under: crmNav.letters.path,
      valid: ({ slug }) => slug === undefined || /^\d+$/.test(slug),
      load: () => import('./assigned.web.tsx'),
      allow: 'ROLE_STAFF',
    },
  ],
})
