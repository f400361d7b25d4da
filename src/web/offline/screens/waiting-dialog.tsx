import { Button, Text } from '@mantine/core'
import { IconCloudUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { RelativeTimeText } from '../../dates/relative.tsx'
import { useConfirm } from '../../ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { StatusChip } from '../../ui/status-chip.tsx'
import { toast } from '../../ui/toast.ts'
import { loadOfflineQueue, useQueuedRequests } from '../outbox/outbox.ts'
import type { QueuedRequest } from '../requests.ts'
import css from './waiting-dialog.module.css'

/** Dialog with the queued and rejected requests on this device, described for the person who made them. */
export default function QueuedRequestsDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title="Changes waiting to be sent" size="44rem">
      <WaitingList onGo={onClose} />
    </Dialog>
  )
}

function WaitingList({ onGo }: { readonly onGo: () => void }) {
  const requests = useQueuedRequests()
  const [busy, setBusy] = useState(false)
  const [question, ask] = useConfirm()
  const sendNow = async (key?: string) => {
    setBusy(true)
    await (await loadOfflineQueue())?.send(key).catch(() => undefined)
    setBusy(false)
  }
  const remove = async (p: QueuedRequest) => {
    const { action, why } = removalOf(p)
    if (!(await ask({ title: `${action}: ${p.what}`, question: why, action, meaning: 'stop' }))) return
    const removed = await (await loadOfflineQueue())?.remove(p.key)
    toast.info(removed ? 'The change was removed from this device' : 'The change had already been sent', 'plain')
  }
  return (
    <>
      <Text size="sm" role="status">
        {requests.length
          ? 'These changes are stored on this device. They will be sent automatically, in this order, when the connection is back and you are signed in. Nobody else who uses this browser can see them.'
          : 'All changes have been sent.'}
      </Text>
      {requests.length > 0 && (
        <ol className={css.list}>
          {requests.map((p) => (
            <li key={p.key}>
              <RequestRow
                request={p}
                busy={busy}
                onSend={() => void sendNow(p.key)}
                onDrop={() => void remove(p)}
                onGo={onGo}
              />
            </li>
          ))}
        </ol>
      )}
      {question}
      <DialogActions>
        <Button variant="default" onClick={onGo}>
          Close
        </Button>
        {requests.length > 0 && (
          <Button leftSection={<IconCloudUpload size={18} aria-hidden />} loading={busy} onClick={() => void sendNow()}>
            Send now
          </Button>
        )}
      </DialogActions>
    </>
  )
}

/** Returns the label of the action that removes a request, and the consequences of removing it. */
function removalOf(p: QueuedRequest): { readonly action: string; readonly why: string } {
  if (p.arrived !== undefined)
    return { action: 'Remove from list', why: 'This file has been sent, and is stored with your company’s files.' }
  if (p.refused)
    return { action: 'Discard', why: 'This change was not saved, and will be removed from this device permanently.' }
  return {
    action: 'Do not send',
    why: `This change will not be sent, and will be removed from this device permanently.${p.tried ? ' An earlier attempt to send it may have succeeded.' : ''}`,
  }
}

interface RowProps {
  readonly request: QueuedRequest
  readonly busy: boolean
  readonly onSend: () => void
  readonly onDrop: () => void
  readonly onGo: () => void
}

function RequestRow({ request: p, busy, onSend, onDrop, onGo }: RowProps) {
  const text = [p.text, p.file?.name].filter(Boolean).join('\n')
  return (
    <article className={css.request}>
      <div className={css.head}>
        <strong>{[p.what, p.of].filter(Boolean).join(', ')}</strong>
        {p.refused ? (
          <StatusChip meaning="stop">Not accepted</StatusChip>
        ) : p.arrived === undefined ? (
          <StatusChip meaning="attention" icon={IconCloudUpload}>
            Waiting
          </StatusChip>
        ) : (
          <StatusChip meaning="info">Open the record to finish</StatusChip>
        )}
      </div>
      <span className={css.quiet}>
        Submitted <RelativeTimeText at={new Date(p.givenAt).toISOString()} />
      </span>
      {text && <p className={css.text}>{text}</p>}
      {p.refused && <ErrorText>{p.refused.why}</ErrorText>}
      <div className={css.buttons}>
        {p.refused && (
          <Button variant="default" size="xs" loading={busy} onClick={onSend}>
            Send again
          </Button>
        )}
        {p.text && (
          <Button variant="default" size="xs" onClick={() => void copy(p.text ?? '')}>
            Copy text
          </Button>
        )}
        {p.at && (
          <Button variant="default" size="xs" component={Link} to={p.at} onClick={onGo}>
            Open record
          </Button>
        )}
        <Button variant="subtle" color="gray" size="xs" onClick={onDrop}>
          {removalOf(p).action}
        </Button>
      </div>
    </article>
  )
}

const copy = (text: string) =>
  navigator.clipboard.writeText(text).then(
    () => toast.info('Copied', 'safe'),
    () => toast.failed('This browser does not allow copying. Please select the text and copy it.'),
  )
