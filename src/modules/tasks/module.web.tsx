import { buildWebModule } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { MY_TASKS_URL } from './my-tasks.ts'
import { tasksNav } from './nav.ts'

export const tasksWebModule = buildWebModule([
  {
    pages: [{ ...pageFromNavigation(tasksNav.mine), asks: [MY_TASKS_URL], load: () => import('./open.web.tsx') }],
    help: () => import('./help.web.ts'),
  },
])
