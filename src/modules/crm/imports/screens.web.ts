import { screens } from '#web/shell/manifest/module.ts'
import { pageAt } from '#web/shell/manifest/page.ts'
import { panel } from '#web/shell/manifest/panels.tsx'
import { nav } from '../nav.ts'

export const imports = screens({
  pages: [
    { ...pageAt(nav.imports), begins: nav.imports.title, load: () => import('./import.web.tsx') },
    { ...pageAt(nav.duplicates), load: () => import('../duplicates/list.web.tsx') },
    {
      path: '/crm/merge/:one/:other',
      title: 'Merge two leads',
      under: nav.duplicates.path,
      load: () => import('../merging/merge.web.tsx'),
      valid: ({ one, other }) => [one, other].every((id) => /^\d+$/.test(id ?? '')),
      allow: 'ROLE_STAFF',
    },
  ],
  panels: [panel({ of: 'Contact', order: 90, load: () => import('../merging/merged.web.tsx') })],
})
