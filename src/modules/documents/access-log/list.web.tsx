import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { documentName } from '../types/kind.ts'
import type { DocumentTypeInfo } from '../types/type-info.ts'
import { documentPath } from '../types/type-info.ts'
import { documentOpening } from './document-opening.ts'

const LIST = listUrlSchema({ name: z.string().max(200).default('') })
type Opening = RecordOf<typeof documentOpening>

/** A company's access log: lists its documents that provider users opened without impersonating a user. */
export function AccessLogPage({ kinds }: { readonly kinds: readonly DocumentTypeInfo[] }) {
  const [state, set] = useUrlState(LIST)
  return (
    <Page
      title="Documents opened by your provider"
      about="Your provider’s consultants can read your documents to help you. Each access is logged, and nobody can delete the log."
    >
      <DataList
        resource={documentOpening}
        label="Opened documents"
        state={state}
        onState={set}
        search="Search by user"
        searchBy="name"
        empty={
          <EmptyState title="No documents opened yet">
            When someone at your provider opens one of your documents, their name, the document and the time are logged
            here.
          </EmptyState>
        }
        columns={[
          {
            key: 'openedAt',
            title: 'Date and time',
            tight: true,
            render: (o: Opening) => <DateTimeText at={o.openedAt} />,
          },
          { key: 'document', title: 'Document', link: true, render: (o: Opening) => documentName(o.document) },
          { key: 'name', title: 'Opened by', render: (o: Opening) => `${o.name} (${o.username})` },
        ]}
        href={(o) => documentPath(kinds, o.document)}
      />
    </Page>
  )
}
