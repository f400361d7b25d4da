import type { RecordOf } from '#kernel/resource.ts'
import type { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { buildWebModule, type WebModule } from '#web/shell/manifest/module.ts'
import { hasRecordId, pageFromNavigation } from '#web/shell/manifest/page.ts'
import { recordPanel, withRecordPanels } from '#web/shell/manifest/panels.tsx'
import { SAFETY_SETTINGS_NAV } from './approval/settings-nav.ts'
import { documentsNav } from './nav.ts'
import { ANY_DOCUMENT_READER_ROLES, DOCUMENT_PACKS } from './rights.ts'
import { documentPages } from './screens/pages.web.tsx'
import type { WebModuleWithDocumentTypes } from './types/kind.web.ts'

/** Creates the web module with the screens of all document types that the given modules declare. */
export function documentsWebModule(modules: readonly (WebModule & Partial<WebModuleWithDocumentTypes>)[]): WebModule {
  const types = modules.flatMap(({ documentTypes }) => documentTypes ?? [])
  return buildWebModule([
    {
      pages: types.flatMap((type) => documentPages(type, types)),
      search: async () => {
        const { createDocumentSearch, fileSearch } = await import('./search.web.ts')
        return { default: [createDocumentSearch(types), fileSearch] }
      },
      dashboard: async () => ({ default: (await import('./dashboard.web.tsx')).documentDashboard(types) }),
    },
    {
      pages: [
        {
          ...pageFromNavigation(SAFETY_SETTINGS_NAV),
          load: withRecordPanels('SafetySettings', () => import('./approval/settings.web.tsx')),
        },
        {
          ...pageFromNavigation(documentsNav.search),
          load: async () => {
            const { ClientDocumentsPage: Search } = await import('./access-log/search.web.tsx')
            return { default: () => <Search kinds={types} /> }
          },
        },
        {
          ...pageFromNavigation(documentsNav.advice),
          load: async () => {
            const { AdviceRequestsPage: Asked } = await import('./advice/list.web.tsx')
            return { default: () => <Asked kinds={types} /> }
          },
        },
        {
          ...pageFromNavigation(documentsNav.openings),
          load: async () => {
            const { AccessLogPage: Openings } = await import('./access-log/list.web.tsx')
            return { default: () => <Openings kinds={types} /> }
          },
        },
        {
          path: '/safety/documents/:id',
          title: 'Document',
          allow: ANY_DOCUMENT_READER_ROLES,
          pack: DOCUMENT_PACKS,
          recordsAt: '/api/safety/documents',
          valid: hasRecordId,
          load: async () => {
            const { DocumentRedirect: Redirect } = await import('./screens/redirect.web.tsx')
            return { default: () => <Redirect kinds={types} /> }
          },
        },
        {
          path: '/pack/:token',
          title: 'RAMS pack',
          layout: 'blank',
          open: true,
          load: async () => {
            const { SharedPackPage: Shared } = await import('./sharing/shared.web.tsx')
            return { default: () => <Shared kinds={types} /> }
          },
        },
        {
          path: '/sign/:token',
          title: 'Document to sign',
          layout: 'blank',
          open: true,
          load: async () => {
            const { DocumentSigningPage: Shared } = await import('./signing-links/page.web.tsx')
            return { default: () => <Shared kinds={types} /> }
          },
        },
      ],
      panels: [
        recordPanel({
          of: 'UploadedDocument',
          order: 10,
          load: async () => {
            const { FileUsesSection: FileUses } = await import('./references/where-used.web.tsx')
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
