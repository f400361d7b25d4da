import { buildWebModule } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { actionsNav } from './nav.ts'

export const actionsWebModule = buildWebModule([
  {
    pages: [{ ...pageFromNavigation(actionsNav.register), load: () => import('./corrective-actions.web.tsx') }],
    dashboard: () => import('./dashboard.web.tsx'),
    search: () => import('./search.web.ts'),
    help: () => import('./help.web.ts'),
  },
])
