import '@mantine/core/styles/Progress.layer.css'
import { Button, CloseButton, Progress } from '@mantine/core'
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import { LazyQueuedRequestChip } from '../offline/screens/queued-requests.tsx'
import type { FileUpload } from './queue.ts'
import { formatFileSize } from './thumb.tsx'
import css from './uploads.module.css'

interface Props {
  readonly uploads: readonly FileUpload[]
  readonly onRetry: (key: string) => void
  readonly onRemove: (key: string) => void
}

/** List of the files being uploaded, with their progress or the reason for a failure. */
export function UploadsProgress({ uploads, onRetry, onRemove }: Props) {
  return (
    <>
      <span className={css.aloud} role="status">
        {uploads.some((u) => ['waiting', 'sending'].includes(u.state)) ? 'Uploading files' : ''}
      </span>
      {uploads.length > 0 && (
        <ul className={css.sending} aria-label="Files being uploaded">
          {uploads.map((u) => (
            <li key={u.key} data-failed={u.state === 'failed' || undefined}>
              <span className={css.sendingName}>
                {u.file.name} <span className={css.dim}>{formatFileSize(u.file.size)}</span>
              </span>
              {u.state === 'failed' ? (
                <span role="alert" className={css.why}>
                  <IconAlertTriangle size={16} aria-hidden /> {u.why}
                </span>
              ) : u.state === 'kept' ? (
                <LazyQueuedRequestChip request={{}} />
              ) : (
                <Progress
                  value={u.sent * 100}
                  animated={u.state === 'sending' && u.sent === 1}
                  aria-label={`${u.file.name}: ${u.state === 'waiting' ? 'waiting' : 'sending'}`}
                />
              )}
              <span className={css.sendingActions}>
                {u.state === 'failed' && u.again && (
                  <Button
                    size="xs"
                    variant="default"
                    leftSection={<IconRefresh size={14} aria-hidden />}
                    onClick={() => onRetry(u.key)}
                  >
                    Retry
                  </Button>
                )}
                <CloseButton
                  aria-label={`${u.state === 'failed' || u.state === 'kept' ? 'Remove' : 'Stop uploading'} ${u.file.name}`}
                  onClick={() => onRemove(u.key)}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
