import { buildWebModule } from '#web/shell/manifest/module.ts'
import { people } from './people/screens.web.ts'
import { sessions } from './sessions/screens.web.ts'

export const identityWebModule = buildWebModule([
  sessions,
  people,
  {
    dashboard: () => import('./dashboard.web.tsx'),
    help: () => import('./help.web.ts'),
  },
])
