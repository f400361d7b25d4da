import type { RecordOf } from '#kernel/resource.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import type { WebModule } from '#web/shell/manifest/module.ts'
import { pageAt } from '#web/shell/manifest/page.ts'
import { panel, withPanels } from '#web/shell/manifest/panels.tsx'
import { SETTINGS } from './approval/settings-nav.ts'
import { nav } from './nav.ts'
import { documentPages } from './screens/pages.web.tsx'
import { safetySettings } from './settings/safety-settings.ts'
import type { LazyKind } from './types/kind.web.ts'

/** What the chain says of a record that is evidence. */
export { Chain } from './audit-chain/seals.web.tsx'
export { ReviewDue } from './review/due.web.tsx'
export { useReviewMonths } from './settings/kinds.web.ts'
/** Everybody of the company who reads documents. */
export { useReaders } from './signoff/people.web.ts'
export type { BodyProps, DocumentKindWeb } from './types/kind.web.ts'
/** A record of a kind with what may be done with it, for screens of the kind's own. */
export { type DocumentRecord, mayOf, titleOf, useMark } from './types/record.web.ts'

/** What an area's kinds of document give to its face: their screens, what the palette finds, and what waits for somebody. */
export function documentFaces(webs: readonly LazyKind[]) {
  return {
    pages: [
      ...webs.flatMap((face) => documentPages(face, webs)),
      { ...pageAt(SETTINGS), load: withPanels(safetySettings.type, () => import('./approval/settings.web.tsx')) },
      {
        ...pageAt(nav.search),
        load: async () => {
          const { Search } = await import('./access-log/search.web.tsx')
          return { default: () => <Search kinds={webs} /> }
        },
      },
      {
        ...pageAt(nav.advice),
        load: async () => {
          const { Asked } = await import('./advice/list.web.tsx')
          return { default: () => <Asked kinds={webs} /> }
        },
      },
      {
        ...pageAt(nav.openings),
        load: async () => {
          const { Openings } = await import('./access-log/list.web.tsx')
          return { default: () => <Openings kinds={webs} /> }
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
    finds: async () => ({ default: [(await import('./finds.web.ts')).documentFinds(webs)] }),
    panels: [
      panel({
        of: uploadedDocument.type,
        order: 10,
        load: async () => {
          const { FileUses } = await import('./references/where-used.web.tsx')
          return {
            default: ({ record }: { record: Pick<RecordOf<typeof uploadedDocument>, 'id'> }) => (
              <FileUses id={record.id} kinds={webs} />
            ),
          }
        },
      }),
    ],
  } satisfies WebModule
}
