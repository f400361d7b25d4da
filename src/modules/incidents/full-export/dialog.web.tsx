import { Text } from '@mantine/core'
import { longText } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { LONDON_TIME_ZONE, now } from '#kernel/time.ts'
import { ApiError, type QueryParams, queryString } from '#web/api/client.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { formatExportFileName } from '#web/lists/extras/export.ts'
import { type BatchJobRecord, followBatchJob } from '#web/lists/extras/runs.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import { incidentFacts } from '../incident-facts.ts'

interface Props {
  /** Query of the list whose incidents are exported. */
  readonly asked: QueryParams
  readonly onClose: () => void
}

/** Asks for the reason for an export with health details, starts it, and downloads its file. */
export default function FullExportDialog({ asked, onClose }: Props) {
  const resource = {
    ...incidentFacts,
    url: `${incidentFacts.url}/full-export${queryString(asked)}`,
    fields: { reason: longText({ required: 'Please give a reason', max: 500, label: 'Reason' }) },
  } as Resource
  const download = async (job: BatchJobRecord) => {
    const { file, error } = await followBatchJob(job, () => {})
    if (!file) throw new ApiError(409, error ?? 'Could not export the incidents. Please try again.')
    const at = now().toZonedDateTimeISO(LONDON_TIME_ZONE)
    await downloadFile(file['@id'], formatExportFileName('Accident book with health details', at, 'csv'))
  }
  return (
    <Dialog opened onClose={onClose} title="Export with health details" size="36rem">
      <Text mb="md">
        This export contains health details and is logged. It has all incidents that match the list, with one row for
        each person. Your company’s administrators see your name and your reason at each incident.
      </Text>
      <ResourceForm
        resource={resource}
        fields={['reason']}
        wide={['reason']}
        action="Export"
        decided
        done={() => 'Export started. The file is downloaded when it is ready.'}
        onCancel={onClose}
        onSaved={(job) => {
          onClose()
          void download(job as unknown as BatchJobRecord).catch((e: unknown) => toast.failed(e))
        }}
      />
    </Dialog>
  )
}
