import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { can } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { document } from '#modules/documents/types/document.ts'
import { DOCUMENT_STATUS_LABELS, toDocumentStatus } from '#modules/documents/types/transitions.ts'
import { documentPath, documentTypeName } from '#modules/documents/types/type-info.ts'
import type { DownloadFolder } from '#modules/portal/downloads/folders.web.tsx'
import { canChangeFile, uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { invalidateLists } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { handbook, managementHandbook } from '../handbooks/handbook.ts'
import { hrDownloadsNav, RETIRED_HR_DOWNLOADS_URL } from './hr-downloads.ts'
import css from './retired.module.css'

const KINDS = [handbook, managementHandbook]
const LIST = listUrlSchema({})

type DocumentRow = RecordOf<typeof document>
type FileRow = RecordOf<typeof uploadedDocument>

/** Handbooks and HR templates that are no longer used, with the reason where one was given. */
export default function RetiredDownloads() {
  return (
    <Page
      title={hrDownloadsNav.retired.title}
      about="Handbooks that were deleted or withdrawn, and retired HR templates."
    >
      <RetiredHandbooks />
      <RetiredTemplates />
    </Page>
  )
}

function RetiredHandbooks() {
  const actor = useActor()
  const queries = useQueryClient()
  const [state, setState] = useState(() => LIST.parse({}))
  const restore = async (row: DocumentRow) => {
    const kind = KINDS.find((one) => one.kind === row.kind)
    if (!kind) return
    try {
      await callApi('PUT', `${kind.resource.url}/${row.id}`, { retired: false })
      toast.info(`${row.documentNumber} revision ${row.revision} is restored`, 'safe')
    } catch (e) {
      toast.failed(e)
    }
    await Promise.all([document, kind.resource].map((r) => invalidateLists(queries, r)))
  }
  return (
    <section className={page.card}>
      <h2>Handbooks</h2>
      <DataList
        resource={document}
        label="Retired handbooks"
        state={state}
        onState={(change: Partial<typeof state>) => setState((now) => ({ ...now, ...change }))}
        search={false}
        params={{ pack: 'employees', deleted: 'true' }}
        columns={[
          { key: 'documentNumber', title: 'Number', link: true },
          { key: 'title' },
          { key: 'kind', title: 'Type', wide: true, render: ({ kind }: DocumentRow) => documentTypeName(KINDS, kind) },
          { key: 'revision', title: 'Rev.', align: 'right' },
          {
            key: 'state',
            title: 'Status',
            render: (row: DocumentRow) => DOCUMENT_STATUS_LABELS[toDocumentStatus(row)],
          },
          { key: 'decisionNote', title: 'Reason', render: ({ decisionNote }: DocumentRow) => decisionNote || '—' },
          {
            key: 'endedBy',
            title: 'By',
            wide: true,
            render: ({ endedBy }: DocumentRow) => <PersonName username={endedBy} />,
          },
          { key: 'endedAt', title: 'On', render: ({ endedAt }: DocumentRow) => <DateTimeText at={endedAt} day /> },
        ]}
        href={(row: DocumentRow) => documentPath(KINDS, row)}
        rowActions={(row: DocumentRow) =>
          can(actor, 'update', handbook.resource) && (
            <Button size="compact-md" variant="default" onClick={() => void restore(row)}>
              Restore
            </Button>
          )
        }
        empty={
          <EmptyState title="No retired handbooks">Handbooks that are deleted or withdrawn are listed here.</EmptyState>
        }
      />
    </section>
  )
}

function RetiredTemplates() {
  const actor = useActor()
  const queries = useQueryClient()
  const query = urlQueryOptions<Collection<DownloadFolder>>(RETIRED_HR_DOWNLOADS_URL)
  const found = useQuery({ queryKey: [RETIRED_HR_DOWNLOADS_URL], ...query })
  const files = found.data?.['hydra:member'].flatMap(({ folder, uploadedDocuments }) =>
    uploadedDocuments.map((file) => ({ folder, file })),
  )
  const restore = async (file: FileRow) => {
    try {
      await callApi('PUT', file['@id'], { retired: false })
      toast.info(`${file.name} is restored`, 'safe')
    } catch (e) {
      toast.failed(e)
    }
    await queries.invalidateQueries({ queryKey: [RETIRED_HR_DOWNLOADS_URL] })
    await invalidateLists(queries, uploadedDocument)
  }
  return (
    <section className={page.card} aria-labelledby="retired-templates">
      <h2 id="retired-templates">HR templates</h2>
      {found.error ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : !files ? (
        <LoadingRows rows={2} />
      ) : files.length === 0 ? (
        <p className={page.quiet}>No retired HR templates.</p>
      ) : (
        <ul className={css.files}>
          {files.map(({ folder, file }) => (
            <li key={file.id}>
              <span>
                <strong>{file.label || file.name}</strong>
                <span className={page.quiet}>{`${file.name}, ${folder.name}`}</span>
                <span className={page.quiet}>{`Reason: ${file.retireReason || '—'}`}</span>
              </span>
              {canChangeFile(actor, file) && (
                <Button variant="default" onClick={() => void restore(file)}>
                  Restore
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
