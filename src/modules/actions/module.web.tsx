import { buildWebModule } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { ACTION_LINK_PATH, actionsNav } from './nav.ts'

export const actionsWebModule = buildWebModule([
  {
    pages: [
      { ...pageFromNavigation(actionsNav.register), load: () => import('./corrective-actions.web.tsx') },
      {
        path: `${ACTION_LINK_PATH}/:token`,
        title: 'Corrective action',
        layout: 'blank',
        open: true,
        load: () => import('./action-link.web.tsx'),
      },
    ],
    search: () => import('./search.web.ts'),
    help: () => import('./help.web.ts'),
  },
])
