import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { FOUND_PART_COLUMN, FoundPartText } from '#web/ui/found-part.tsx'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { ReviewDueDate } from '../review/due.web.tsx'
import { DocumentChips } from '../types/chips.web.tsx'
import { document } from '../types/document.ts'
import { DOCUMENT_STATES, DOCUMENT_STATUS_LABELS } from '../types/transitions.ts'
import type { DocumentTypeInfo } from '../types/type-info.ts'
import { documentPath, documentTypeName } from '../types/type-info.ts'
import { DocumentOwner } from './document-owner.web.tsx'

const words = z.string().max(60).default('')
const LIST = listUrlSchema({
  kind: words,
  state: z.enum(['', ...DOCUMENT_STATES]).default(''),
  client: words,
  // Excludes deleted documents by default.
  deleted: z.enum(['', 'true', 'false']).default('false'),
})
type FoundDocument = RecordOf<typeof document>

/**
 * Page for searching the documents of all clients. Each result opens on its own page, and the client's access log
 * records the access.
 */
export function ClientDocumentsPage({ kinds }: { readonly kinds: readonly DocumentTypeInfo[] }) {
  const phone = useIsPhone()
  const [state, set] = useUrlState(LIST)
  return (
    <Page
      title="Clients’ documents"
      about="When you open a document, the portal logs your name, the document and the time, and the client can see the log. It does not log searches: results show in which part of a document your words occur, but not its text."
    >
      <DataList
        resource={document}
        label="Clients’ documents"
        state={state}
        onState={set}
        search="Search by number, title, contents or people"
        // Excludes templates, because they are not client documents.
        params={{ isTemplate: false }}
        filters={[
          'client',
          { key: 'kind', label: 'Type', options: kinds.map((k) => ({ value: k.kind, label: k.name })) },
          {
            key: 'state',
            label: 'Status',
            options: DOCUMENT_STATES.map((value) => ({ value, label: DOCUMENT_STATUS_LABELS[value] })),
          },
          'deleted',
        ]}
        empty={<EmptyState title="No documents yet">Your clients’ documents appear here.</EmptyState>}
        columns={[
          { key: 'documentNumber', title: 'Number', tight: true },
          {
            key: 'title',
            title: 'Title',
            link: true,
            render: (d: FoundDocument) => (
              <>
                {d.title || 'Untitled'}
                {!phone && <FoundPartText part={d.found} />}
              </>
            ),
          },
          ...(phone ? [FOUND_PART_COLUMN] : []),
          { key: 'kind', title: 'Type', wide: true, render: (d: FoundDocument) => documentTypeName(kinds, d.kind) },
          { key: 'client', title: 'Client', render: (d: FoundDocument) => <DocumentOwner record={d} /> },
          {
            key: 'state',
            title: 'Status',
            tight: true,
            render: (d: FoundDocument) => <DocumentChips record={chips(d)} />,
          },
          {
            key: 'reviewDue',
            title: 'Review due',
            tight: true,
            render: (d: FoundDocument) => <ReviewDueDate record={due(d)} />,
          },
          {
            key: 'updatedAt',
            title: 'Updated',
            wide: true,
            render: (d: FoundDocument) => <DateTimeText at={d.updatedAt} />,
          },
        ]}
        href={(d) => documentPath(kinds, d)}
      />
    </Page>
  )
}

const chips = ({ state, retired, isTemplate }: FoundDocument) => ({ state, retired, isTemplate })
const due = ({ reviewDue, current }: FoundDocument) => ({ reviewDue, current, reviewed: false })
