import { buildWebModule } from '#web/shell/manifest/module.ts'
import { clientDirectory } from './directory/screens.web.ts'
import { files } from './files/screens.web.ts'
import { home } from './home/screens.web.tsx'
import { letterhead } from './letterhead/screens.web.ts'

export const portalWebModule = buildWebModule([
  home,
  files,
  letterhead,
  clientDirectory,
  {
    availableOffline: ['/api/portal/names'],
    dashboard: () => import('./dashboard.web.tsx'),
    help: () => import('./help.web.ts'),
  },
])
