import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { hasRole } from '#kernel/roles.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { FileDrop } from '#web/uploads/file-drop.tsx'
import { UploadsProgress } from '#web/uploads/progress.tsx'
import { useFileUploads } from '#web/uploads/queue.ts'
import type { StoredFile } from '#web/uploads/send.ts'
import { UploadedFileLink } from '#web/uploads/thumb.tsx'
import { incidentFile } from '../reports/incident-file.ts'
import { incidentReport } from '../reports/incident-report.ts'
import css from '../reports/incidents.module.css'
import { type IncidentRecord, useRefetchIncident } from '../reports/save-rows.web.ts'
import { INCIDENT_READER_ROLE } from '../rights.ts'

interface Props {
  readonly report: IncidentRecord
  readonly readOnly: boolean
}

/** Photos and documents of an incident. A file is uploaded first and then attached to the incident. */
export function IncidentFiles({ report, readOnly }: Props) {
  const actor = useActor()
  const queries = useQueryClient()
  const refetch = useRefetchIncident(report)
  const list = useList(incidentFile, { report: report['@id'], retired: false, itemsPerPage: 100 })
  // Two uploads that end one after the other would otherwise overwrite each other.
  const attached = useRef(report.files)
  const attach = async (iri: string) => {
    attached.current = [...attached.current, iri]
    try {
      await callApi('PUT', report['@id'], { files: attached.current })
      await Promise.all([queries.invalidateQueries({ queryKey: [incidentFile.url] }), refetch()])
    } catch (e) {
      attached.current = attached.current.filter((one) => one !== iri)
      toast.failed(e)
    }
  }
  const { uploads, add, retry, remove } = useFileUploads<StoredFile>({
    to: `${incidentReport.url}/files`,
    onDone: (file) => void attach(file['@id']),
  })
  return (
    <div className={css.list}>
      {!readOnly && <FileDrop label="Add photos and documents" onFiles={add} />}
      <UploadsProgress uploads={uploads} onRetry={retry} onRemove={remove} />
      {list.error && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <LoadingRows rows={1} />}
      {list.data && (
        <ul className={css.list} aria-label="Photos and documents">
          {list.data['hydra:member'].map((file) => (
            <li key={file.id}>
              <UploadedFileLink file={file as unknown as StoredFile} />
            </li>
          ))}
        </ul>
      )}
      {list.data?.['hydra:member'].length === 0 && (
        <Text size="sm" c="dimmed">
          {hasRole(actor, INCIDENT_READER_ROLE)
            ? 'No photos or documents'
            : 'No photos or documents of yours. Photos can show injuries, so those of other people are visible only to readers of health details.'}
        </Text>
      )}
    </div>
  )
}
