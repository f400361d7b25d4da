import { z } from 'zod'
import { document } from '#modules/documents/types/document.ts'
import { useActor } from '#web/api/me.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { FOUND_PART_COLUMN, FoundPartText } from '#web/ui/found-part.tsx'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { SAFETY_DOCUMENT_TYPE_INFOS } from './type-infos.ts'

const LIST = listUrlSchema({ kind: z.enum(['', ...SAFETY_DOCUMENT_TYPE_INFOS.map((info) => info.kind)]).default('') })
const infoOf = (kind: string | null) => SAFETY_DOCUMENT_TYPE_INFOS.find((info) => info.kind === kind)

/** All documents in force that the user may read, of every type, for reading and printing. */
export default function DocumentsInForcePage() {
  const actor = useActor()
  const phone = useIsPhone()
  const [state, set] = useUrlState(LIST)
  return (
    <Page title="Documents in force">
      <DataList
        resource={document}
        label="Documents in force"
        state={state}
        onState={set}
        search="Search by number, title, contents or people"
        params={{
          client: actor.clientId,
          state: 'current',
          deleted: false,
          ...(state.kind ? {} : { kind: SAFETY_DOCUMENT_TYPE_INFOS.map((info) => info.kind) }),
        }}
        filters={[
          {
            key: 'kind',
            label: 'Type',
            options: SAFETY_DOCUMENT_TYPE_INFOS.map((info) => ({ value: info.kind, label: info.nav.title })),
          },
        ]}
        columns={[
          {
            key: 'documentNumber',
            title: 'Number',
            tight: true,
            render: (d) => (phone ? `${d.documentNumber} ${d.title ?? ''}` : d.documentNumber),
          },
          {
            key: 'title',
            title: 'Title',
            known: true,
            inCard: false,
            render: (d) => (
              <>
                {d.title}
                <FoundPartText part={d.found} />
              </>
            ),
          },
          ...(phone ? [FOUND_PART_COLUMN] : []),
          { key: 'kind', title: 'Type', tight: true, render: (d) => infoOf(d.kind)?.name ?? '' },
          { key: 'revision', title: 'Rev.', align: 'right' },
          {
            key: 'approvedAt',
            title: 'In force since',
            tight: true,
            render: (d) => <DateTimeText at={d.approvedAt} day />,
          },
        ]}
        href={(d) => `${infoOf(d.kind)?.screens.list ?? ''}/view/${d.id}`}
        empty={
          <EmptyState title="No documents in force yet">
            Your company’s documents are listed here once they are in force.
          </EmptyState>
        }
      />
    </Page>
  )
}
