import { loadModuleContributions, screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { PORTAL_NAV } from '../nav.ts'

/** Options for public pages, which need no sign-in but use the session if there is one. */
const OPEN = { open: true, checks: ['session'] } as const

export const home = screens({
  pages: [
    {
      ...pageFromNavigation(PORTAL_NAV.dashboard),
      availableOffline: 'submitted',
      load: async (modules) => {
        const loads = modules.flatMap(({ dashboard }) => dashboard.map((load) => load()))
        const [{ Dashboard }, ...loaded] = await Promise.all([import('./dashboard.web.tsx'), ...loads])
        const parts = loaded.flatMap((module) => module.default.parts)
        const steps = loaded.flatMap((module) => module.default.firstSteps ?? [])
        return { default: () => <Dashboard parts={parts} steps={steps} /> }
      },
    },
    {
      ...pageFromNavigation(PORTAL_NAV.help),
      ...OPEN,
      load: async (modules) => {
        const [{ HelpPage: Help }, articles] = await Promise.all([
          import('../help/help.web.tsx'),
          loadModuleContributions(modules.flatMap((module) => module.help)),
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
          import('../help/article.web.tsx'),
          loadModuleContributions(modules.flatMap((module) => module.help)),
        ])
        return { default: () => <HelpArticle articles={articles} /> }
      },
    },
    { ...pageFromNavigation(PORTAL_NAV.notices), load: () => import('../notices/inbox.web.tsx') },
    {
      path: '/profile/notices',
      title: 'My notifications',
      under: PORTAL_NAV.notices.path,
      load: () => import('../notices/settings.web.tsx'),
    },
    { ...pageFromNavigation(PORTAL_NAV.runs), load: () => import('../runs/runs.web.tsx') },
    { ...pageFromNavigation(PORTAL_NAV.about), load: () => import('./about.web.tsx') },
    {
      path: '/maintenance',
      title: 'Maintenance',
      layout: 'maintenance',
      open: true,
      load: () => import('./maintenance.web.tsx'),
    },
    { path: '/error/403', title: 'No access', ...OPEN, load: () => import('./no-access.web.tsx') },
  ],
})
