import { buildWebModule } from '#web/shell/manifest/module.ts'
import { clients } from './clients/screens.web.ts'
import { imports } from './imports/screens.web.ts'
import { leads } from './leads/screens.web.ts'
import { letters } from './letters/screens.web.ts'
import { mailScreens } from './mail/screens.web.ts'
import { staff } from './staff/screens.web.ts'

export const crmWebModule = buildWebModule([
  leads,
  imports,
  mailScreens,
  letters,
  staff,
  clients,
  {
    search: () => import('./search.web.ts'),
    dashboard: () => import('./dashboard.web.tsx'),
    help: () => import('./help.web.ts'),
  },
])
