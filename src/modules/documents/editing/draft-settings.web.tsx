import type { RecordOf, Resource } from '#kernel/resource.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { createAudienceInput } from '#web/forms/audience-select.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { AUDIENCE_CHOICES, audienceLabel } from '../types/audience.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentRecord } from '../types/record.web.ts'

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
  readonly opened: boolean
  readonly onClose: () => void
}

const AUDIENCE = {
  audience: createAudienceInput('Readers once the document is in force', AUDIENCE_CHOICES, audienceLabel),
}

/** Dialog for draft settings outside the form: industry, readers, and whether the draft is a template. */
export function DraftSettingsDialog({ kind, record, opened, onClose }: Props) {
  const now = useApiRecord(kind.resource, opened ? record.id : undefined)
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={`${record.documentNumber} revision ${record.revision}: industry, readers and template`}
      size="36rem"
    >
      {now.data ? (
        <ResourceForm<Resource>
          resource={{
            ...kind.resource,
            fields: {
              industry: kind.resource.fields.industry as Resource['fields'][string],
              audience: kind.resource.fields.audience as Resource['fields'][string],
              isTemplate: {
                ...(kind.resource.fields.isTemplate as Resource['fields'][string]),
                label: 'Offer as a template',
                help: 'Everyone in your company can start a new document from a template.',
              },
            },
          }}
          fields={['industry', 'audience', 'isTemplate']}
          wide={['industry', 'audience', 'isTemplate']}
          inputs={AUDIENCE}
          record={now.data as RecordOf<Resource>}
          onCancel={onClose}
          onSaved={onClose}
        />
      ) : now.isError ? (
        <ErrorState error={now.error} onRetry={() => void now.refetch()} />
      ) : (
        <LoadingRows rows={2} />
      )}
    </Dialog>
  )
}
