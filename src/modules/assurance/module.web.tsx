import { buildWebModule } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { assuranceNav } from './nav.ts'

export const assuranceWebModule = buildWebModule([
  {
    pages: [
      { ...pageFromNavigation(assuranceNav.equipment), load: () => import('./equipment/register.web.tsx') },
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
