import { Suspense } from 'react'
import { useActor } from '#web/api/me.ts'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { RecordPanels } from '#web/shell/manifest/panels.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { UploadedFileLink } from '#web/uploads/thumb.tsx'
import { canChangeFile, uploadedDocument } from '../files/uploaded-document.ts'
import { useFileVersions, useRefreshFiles } from './data.web.ts'
import { ExpiryChip } from './expiry-chip.web.tsx'
import css from './manager.module.css'
import { FileVersions } from './versions.web.tsx'

interface Props {
  /** ID of any version of the file. */
  readonly id: string
  readonly onClose: () => void
}

/** Dialog with a file's details: expiry, versions and use. */
export default function FileDetails({ id, onClose }: Props) {
  const actor = useActor()
  const versions = useFileVersions(id)
  const refresh = useRefreshFiles()
  const newest = versions.data?.[0]
  const mayChange = newest !== undefined && !newest.retired && canChangeFile(actor, newest)
  return (
    <Dialog opened addressed onClose={onClose} title={newest ? newest.label || newest.name : 'File'} size="48rem">
      {versions.error ? (
        <ErrorState error={versions.error} onRetry={() => void versions.refetch()} />
      ) : !newest ? (
        <LoadingRows rows={6} />
      ) : (
        <div className={page.page}>
          <div className={css.head}>
            <UploadedFileLink file={newest} />
            <ExpiryChip file={newest} />
            {newest.locked && <StatusChip meaning="attention">Opens only with a password</StatusChip>}
            {newest.retired && <StatusChip>Retired</StatusChip>}
          </div>
          {newest.locked && (
            <p className={css.dim}>
              This PDF opens only with its password, so others can’t read it, and the search doesn’t find its text. To
              share it, upload a version without a password.
            </p>
          )}
          <p className={css.dim}>
            Owner: <PersonName username={newest.keeper} />. This version was uploaded{' '}
            <RelativeTimeText at={newest.createdAt} />, from <PersonName username={newest.author} />.
          </p>
          {mayChange && (
            <section className={page.card} aria-labelledby="file-expiry">
              <h2 id="file-expiry">Expiry</h2>
              <ResourceForm
                key={newest.id}
                resource={uploadedDocument}
                fields={['expires', 'remindDays']}
                record={newest}
                action="Save expiry"
                onSaved={() => void refresh()}
              />
            </section>
          )}
          <FileVersions versions={versions.data ?? []} mayChange={mayChange} onDone={() => void refresh()} />
          <Suspense fallback={<LoadingRows rows={1} />}>
            <RecordPanels<typeof uploadedDocument> record={newest} />
          </Suspense>
        </div>
      )}
    </Dialog>
  )
}
