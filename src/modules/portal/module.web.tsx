import { loadAll, type WebModule } from '#web/shell/manifest/module.ts'
import { type Page, pageAt } from '#web/shell/manifest/page.ts'
import { withLaterPanels } from '#web/shell/manifest/panels.tsx'
import { LETTERHEAD_KEEPERS } from './letterhead/letterhead.ts'
import { nav } from './nav.ts'

/** For everybody, and better for somebody who has signed in. */
const OPEN = { open: true, checks: ['session'] } as const

const pages: readonly Page[] = [
  {
    ...pageAt(nav.dashboard),
    kept: true,
    load: async (modules) => {
      const loads = modules.flatMap(({ dashboard }) => (dashboard ? [dashboard()] : []))
      const [{ Dashboard }, ...brought] = await Promise.all([import('./home/dashboard.web.tsx'), ...loads])
      const parts = brought.flatMap((module) => module.default.parts)
      const steps = brought.flatMap((module) => module.default.firstSteps ?? [])
      return { default: () => <Dashboard parts={parts} steps={steps} /> }
    },
  },
  {
    ...pageAt(nav.help),
    ...OPEN,
    load: async (modules) => {
      const [{ Help }, articles] = await Promise.all([
        import('./help/help.web.tsx'),
        loadAll(modules.map((module) => module.help)),
      ])
      return { default: () => <Help articles={articles} /> }
    },
  },
  {
    path: '/help/child',
    title: 'Help',
    ...OPEN,
    load: async (modules) => {
      const [{ HelpArticle }, articles] = await Promise.all([
        import('./help/article.web.tsx'),
        loadAll(modules.map((module) => module.help)),
      ])
      return { default: () => <HelpArticle articles={articles} /> }
    },
  },
  { ...pageAt(nav.notices), load: () => import('./notices/inbox.web.tsx') },
  {
    path: '/profile/notices',
    title: 'What I am told of',
    under: nav.notices.path,
    load: () => import('./notices/settings.web.tsx'),
  },
  { ...pageAt(nav.runs), load: () => import('./runs/runs.web.tsx') },
  { ...pageAt(nav.about), load: () => import('./home/about.web.tsx') },
  {
    path: '/maintenance',
    title: 'Maintenance',
    layout: 'maintenance',
    open: true,
    load: () => import('./home/maintenance.web.tsx'),
  },
  { path: '/error/403', title: 'No access', ...OPEN, load: () => import('./home/no-access.web.tsx') },
  { ...pageAt(nav.files), load: withLaterPanels('UploadedDocument', () => import('./file-manager/manager.web.tsx')) },
  { ...pageAt(nav.downloads), load: () => import('./downloads/downloads.web.tsx') },
  {
    path: '/sfp/custom-downloads',
    title: nav.downloads.title,
    redirect: nav.downloads.path,
    allow: nav.downloads.allow,
  },
  { ...pageAt(nav.letterhead), load: () => import('./letterhead/letterhead.web.tsx') },
  {
    path: '/config/system/pdf',
    title: 'Papers',
    under: '/safety/Settings',
    allow: LETTERHEAD_KEEPERS,
    load: () => import('./letterhead/system-pdf.web.tsx'),
  },
  { ...pageAt(nav.tickets), load: () => import('./support/tickets.web.tsx') },
  { ...pageAt(nav.alerts), load: () => import('./alerts/alerts.web.tsx') },
  { ...pageAt(nav.banners), load: () => import('./banners/banners.web.tsx') },
  { ...pageAt(nav.clients), load: withLaterPanels('Client', () => import('./directory/list.web.tsx')) },
]

export const portal: WebModule = {
  pages,
  keeps: ['/api/portal/names'],
  dashboard: () => import('./dashboard.web.tsx'),
  help: () => import('./help.web.ts'),
}
