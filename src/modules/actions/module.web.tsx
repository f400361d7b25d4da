import { buildWebModule } from '#web/shell/manifest/module.ts'
import { pageAt } from '#web/shell/manifest/page.ts'
import { actionsNav } from './nav.ts'

export const actions = buildWebModule([
  {
    pages: [{ ...pageAt(actionsNav.register), load: () => import('./corrective-actions.web.tsx') }],
    dashboard: () => import('./dashboard.web.tsx'),
    search: () => import('./search.web.ts'),
    help: () => import('./help.web.ts'),
  },
])
