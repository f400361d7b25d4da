import '@mantine/core/styles/Tooltip.layer.css'
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconAdjustments, IconArrowLeft, IconCheck, IconEye, IconEyeOff, IconFileTypePdf } from '@tabler/icons-react'
import { use, useState, useSyncExternalStore } from 'react'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { openPdf } from '#web/api/pdf.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { createAudienceInput } from '#web/forms/audience-select.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import type { Autosave } from '#web/forms/schema/autosave.ts'
import { SaveStatus } from '#web/forms/schema/saved-state.tsx'
import type { FormStore } from '#web/forms/schema/store.ts'
import { useFormCompletion } from '#web/forms/schema/use-form.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { RecordPagerContext } from '#web/ui/page-sign.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { AUDIENCE_CHOICES, audienceLabel } from '../types/audience.ts'
import { DocumentChips } from '../types/chips.web.tsx'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import { type DocumentRecord, documentTitleOrUntitled } from '../types/record.web.ts'
import css from './editor.module.css'

interface Props {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
  readonly store: FormStore
  readonly autosave: Autosave
  readonly busy: boolean
  readonly onComplete: () => void
  readonly onLeave: () => void
  /** Visibility of the preview, and a function that changes it; undefined if there is no room for a preview. */
  readonly preview: { readonly shown: boolean; readonly show: (shown: boolean) => void } | undefined
}

/** Header with the document's title, its saved status and the button to complete the draft. */
export function DraftEditorHeader({ parts, record, store, autosave, busy, onComplete, onLeave, preview }: Props) {
  const { kind } = parts
  const title = useSyncExternalStore(store.onDerived, () => documentTitleOrUntitled(kind, store.values()))
  const [about, setAbout] = useState(false)
  const beside = use(RecordPagerContext)
  const pdf = async () => {
    await autosave.flush()
    await openPdf(`${record['@id']}/pdf`).catch((e: unknown) => toast.failed(e))
  }
  return (
    <header className={css.head}>
      <Tooltip label="Back to the list">
        <ActionIcon variant="subtle" color="gray" size={36} aria-label="Back to the list" onClick={onLeave}>
          <IconArrowLeft size={20} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <div className={css.what}>
        <PageTitle>{title}</PageTitle>
        <div className={css.about}>
          <span>{record.documentNumber}</span>
          <span>{`Revision ${record.revision}`}</span>
          <DocumentChips record={record} />
          <SaveStatus autosave={autosave} />
        </div>
      </div>
      <div className={css.buttons}>
        {beside}
        <Tooltip label="Industry and template">
          <ActionIcon variant="default" size={36} aria-label="Industry and template" onClick={() => setAbout(true)}>
            <IconAdjustments size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        {preview && (
          <Tooltip label={preview.shown ? 'Hide preview' : 'Show preview'}>
            <ActionIcon
              variant="default"
              size={36}
              aria-label="Print preview"
              aria-pressed={preview.shown}
              onClick={() => preview.show(!preview.shown)}
            >
              {preview.shown ? <IconEyeOff size={18} aria-hidden /> : <IconEye size={18} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        )}
        <Tooltip label="View PDF">
          <ActionIcon variant="default" size={36} aria-label="View PDF" onClick={() => void pdf()}>
            <IconFileTypePdf size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <CompleteButton store={store} busy={busy} onComplete={onComplete} />
      </div>
      <DraftSettingsDialog kind={kind} record={record} opened={about} onClose={() => setAbout(false)} />
    </header>
  )
}

/** Button that completes the draft. Always enabled, because the next page lists what is missing, with links. */
function CompleteButton({ store, busy, onComplete }: Pick<Props, 'store' | 'busy' | 'onComplete'>) {
  const { percent } = useFormCompletion(store)
  return (
    <Button
      leftSection={<IconCheck size={16} aria-hidden />}
      variant={percent === 100 ? 'filled' : 'light'}
      loading={busy}
      onClick={onComplete}
    >
      Complete
    </Button>
  )
}

interface DraftSettingsDialogProps {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
  readonly opened: boolean
  readonly onClose: () => void
}

const AUDIENCE = {
  audience: createAudienceInput('Readers once the document is in force', AUDIENCE_CHOICES, audienceLabel),
}

/** Dialog for draft settings outside the form: industry, readers, and whether the draft is a template. */
function DraftSettingsDialog({ kind, record, opened, onClose }: DraftSettingsDialogProps) {
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
