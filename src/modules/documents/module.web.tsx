import type { RecordOf } from '#kernel/resource.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { buildWebModule, type WebModule } from '#web/shell/manifest/module.ts'
import { pageAt } from '#web/shell/manifest/page.ts'
import { recordPanel, withPanels } from '#web/shell/manifest/panels.tsx'
import { SAFETY_SETTINGS_NAV } from './approval/settings-nav.ts'
import { nav } from './nav.ts'
import { documentPages } from './screens/pages.web.tsx'
import { safetySettings } from './settings/safety-settings.ts'
import type { WebModuleWithTypes } from './types/kind.web.ts'

/** Web module with the screens of all document types that the given modules declare. */
export function documentsWebModule(modules: readonly (WebModule & Partial<WebModuleWithTypes>)[]): WebModule {
  const types = modules.flatMap(({ documentTypes }) => documentTypes ?? [])
  return buildWebModule([
    {
      pages: types.flatMap((type) => documentPages(type, types)),
      search: async () => ({ default: [(await import('./search.web.ts')).createDocumentSearch(types)] }),
      dashboard: async () => ({ default: (await import('./dashboard.web.tsx')).documentDashboard(types) }),
    },
    {
      pages: [
        {
          ...pageAt(SAFETY_SETTINGS_NAV),
          load: withPanels(safetySettings.type, () => import('./approval/settings.web.tsx')),
        },
        {
          ...pageAt(nav.search),
          load: async () => {
            const { ClientDocumentsPage: Search } = await import('./access-log/search.web.tsx')
            return { default: () => <Search kinds={types} /> }
          },
        },
        {
          ...pageAt(nav.advice),
          load: async () => {
            const { AdviceRequestsPage: Asked } = await import('./advice/list.web.tsx')
            return { default: () => <Asked kinds={types} /> }
          },
        },
        {
          ...pageAt(nav.openings),
          load: async () => {
            const { AccessLogPage: Openings } = await import('./access-log/list.web.tsx')
            return { default: () => <Openings kinds={types} /> }
          },
        },
        {
          path: '/pack/:token',
          title: 'RAMS pack',
          layout: 'blank',
          open: true,
          load: () => import('./sharing/shared.web.tsx'),
        },
      ],
      panels: [
        recordPanel({
          of: uploadedDocument.type,
          order: 10,
          load: async () => {
            const { FileUses } = await import('./references/where-used.web.tsx')
            return {
              default: ({ record }: { record: Pick<RecordOf<typeof uploadedDocument>, 'id'> }) => (
                <FileUses id={record.id} kinds={types} />
              ),
            }
          },
        }),
      ],
    },
  ])
}
