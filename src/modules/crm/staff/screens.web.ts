import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { recordPanel, withLazyRecordPanels } from '#web/shell/manifest/panels.tsx'
import { crmNav } from '../nav.ts'

export const staff = screens({
  pages: [
    { ...pageFromNavigation(crmNav.leadSettings), load: () => import('./lead-settings.web.tsx') },
    { ...pageFromNavigation(crmNav.calls), load: () => import('../calls/list.web.tsx') },
    {
      path: '/cms/staff/new',
      title: 'New member of staff',
      begins: 'New member of staff',
      under: crmNav.staff.path,
      allow: 'ROLE_USER_ADMIN',
      load: () => import('./new-staff.web.tsx'),
    },
    {
      ...pageFromNavigation(crmNav.staff),
      path: '/staff/:username?',
      title: 'Staff',
      valid: ({ username }) => username === undefined || /^[\w.@-]{1,100}$/.test(username),
      load: withLazyRecordPanels('Staff', () => import('./staff.web.tsx')),
    },
  ],
  panels: [recordPanel({ of: 'Staff', order: 10, load: () => import('../calls/activity.web.tsx') })],
})
