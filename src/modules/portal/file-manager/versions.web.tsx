import { Button, FileButton } from '@mantine/core'
import { IconDownload, IconHistory, IconUpload } from '@tabler/icons-react'
import { callApi } from '#web/api/client.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import page from '#web/ui/page.module.css'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import { UploadsProgress } from '#web/uploads/progress.tsx'
import { useFileUploads } from '#web/uploads/queue.ts'
import { formatFileSize } from '#web/uploads/thumb.tsx'
import type { FileRecord } from './data.web.ts'
import css from './manager.module.css'

interface Props {
  /** All versions of the file, newest first. */
  readonly versions: readonly FileRecord[]
  readonly mayChange: boolean
  readonly onDone: () => void
}

/**
 * A file's versions, each with a download button. Users who may change the file can upload a new version or restore an
 * earlier one.
 */
export function FileVersions({ versions, mayChange, onDone }: Props) {
  const newest = versions[0]
  const [dialog, ask] = useConfirm()
  const { uploads, add, retry, remove } = useFileUploads<FileRecord>({
    to: `${newest?.['@id']}/versions`,
    onDone: (file) => {
      toast.info(`${file.name} is now version ${file.version}`, 'safe')
      onDone()
    },
  })
  const restore = async (earlier: FileRecord) => {
    const yes = await ask({
      title: `Restore version ${earlier.version}`,
      question: `Version ${earlier.version} will become the newest again, as version ${(newest?.version ?? 0) + 1}. The other versions will remain stored, and each document will keep the version it uses.`,
      action: 'Restore this version',
    })
    if (!yes) return
    try {
      const made = await callApi<FileRecord>('POST', `${earlier['@id']}/restore_version`)
      toast.info(`Version ${earlier.version} has been restored as version ${made.version}`, 'safe')
      onDone()
    } catch (e) {
      toast.failed(e, () => void restore(earlier))
    }
  }
  const save = (file: FileRecord) =>
    void downloadFile(`${file.url}?original=true`, file.name).catch((e) => toast.failed(e, () => save(file)))
  return (
    <section className={page.card} aria-labelledby="file-versions">
      <div className={css.head}>
        <h2 id="file-versions" className={css.heading}>
          Versions
        </h2>
        {mayChange && (
          <FileButton onChange={(file) => file && add([file])}>
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
                Upload a new version
              </Button>
            )}
          </FileButton>
        )}
      </div>
      <UploadsProgress uploads={uploads} onRetry={retry} onRemove={remove} />
      <ol className={css.versions} aria-label="Versions, newest first">
        {versions.map((file) => (
          <li key={file.id}>
            <div className={css.version}>
              <strong>Version {file.version}</strong>
              {!file.replaced && <StatusChip meaning="safe">Newest</StatusChip>}
              {file.restoredFrom !== null && (
                <span className={css.dim}>{`Restored from version ${file.restoredFrom}`}</span>
              )}
              <span className={css.what}>{file.name}</span>
              <span className={css.dim}>
                <PersonName username={file.author} />, <DateTimeText at={file.createdAt} />, {formatFileSize(file.size)}
              </span>
              <span className={css.dim} title={file.checksum}>{`SHA-256 ${file.checksum.slice(0, 12)}…`}</span>
            </div>
            <div className={css.versionActions}>
              <Button
                variant="subtle"
                leftSection={<IconDownload size={16} aria-hidden />}
                aria-label={`Download version ${file.version}`}
                onClick={() => save(file)}
              >
                Download
              </Button>
              {file.replaced && mayChange && (
                <Button
                  variant="subtle"
                  leftSection={<IconHistory size={16} aria-hidden />}
                  aria-label={`Restore version ${file.version}`}
                  onClick={() => void restore(file)}
                >
                  Restore
                </Button>
              )}
            </div>
          </li>
        ))}
      </ol>
      {dialog}
    </section>
  )
}
