import { searchGroup } from '#web/shell/manifest/search.ts'
import { correctiveAction } from './corrective-action.ts'
import { actionsNav, correctiveActionPath } from './nav.ts'

export default [
  searchGroup({
    label: 'Corrective actions',
    icon: actionsNav.register.icon,
    resource: correctiveAction,
    params: () => ({ retired: false }),
    title: (a) => `${a.number} ${a.description}`,
    detail: (a) => [a.managerName, correctiveAction.fields.state.options?.find((o) => o.value === a.state)?.label],
    href: (a) => correctiveActionPath(a.id),
  }),
]
