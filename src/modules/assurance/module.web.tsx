import { buildWebModule } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { assuranceNav, LABEL_PATH } from './nav.ts'

export const assuranceWebModule = buildWebModule([
  {
    pages: [
      { ...pageFromNavigation(assuranceNav.equipment), load: () => import('./equipment/register.web.tsx') },
      {
        path: `${assuranceNav.equipment.path}/batch`,
        title: 'Batch check',
        allow: assuranceNav.equipment.allow,
        load: () => import('./equipment/batch.web.tsx'),
      },
      {
        path: `${LABEL_PATH}/:token`,
        title: 'Equipment',
        layout: 'blank',
        open: true,
        load: () => import('./equipment/label.web.tsx'),
      },
      {
        path: `${assuranceNav.equipment.path}/:id`,
        title: 'Equipment',
        allow: assuranceNav.equipment.allow,
        load: () => import('./equipment/item.web.tsx'),
      },
    ],
    help: () => import('./help.web.ts'),
  },
])
