import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { recordPanel } from '#web/shell/manifest/panels.tsx'
import { crmNav } from '../nav.ts'

export const imports = screens({
  pages: [
    { ...pageFromNavigation(crmNav.imports), begins: crmNav.imports.title, load: () => import('./import.web.tsx') },
    { ...pageFromNavigation(crmNav.duplicates), load: () => import('../duplicates/list.web.tsx') },
    {
      path: '/crm/merge/:one/:other',
      title: 'Merge two leads',
      under: crmNav.duplicates.path,
      load: () => import('../merging/merge.web.tsx'),
      valid: ({ one, other }) => [one, other].every((id) => /^\d+$/.test(id ?? '')),
      allow: 'ROLE_STAFF',
    },
  ],
  panels: [recordPanel({ of: 'Contact', order: 90, load: () => import('../merging/merged.web.tsx') })],
})
