import { IconCloudUpload } from '@tabler/icons-react'
import { RelativeTimeText } from '../../dates/relative.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { StatusChip } from '../../ui/status-chip.tsx'
import type { QueuedRequest } from '../requests.ts'
import css from './queued-list.module.css'

interface Props {
  readonly requests: readonly QueuedRequest[]
  readonly label: string
}

/** List of the queued and rejected requests about a record. */
export function QueuedRequestList({ requests, label }: Props) {
  return (
    <ul className={css.list} aria-label={label}>
      {requests.map((request) => (
        <li key={request.key}>
          <span>
            <strong>{request.what}</strong>{' '}
            <span className={css.quiet}>
              submitted <RelativeTimeText at={new Date(request.givenAt).toISOString()} />
            </span>
          </span>
          <QueuedRequestChip request={request} />
          {request.text && <p className={css.text}>{request.text}</p>}
          {request.refused && <ErrorText>{request.refused.why}</ErrorText>}
        </li>
      ))}
    </ul>
  )
}

/** Chip with the status of a request: queued or rejected. */
export const QueuedRequestChip = ({ request }: { readonly request: Pick<QueuedRequest, 'refused'> }) =>
  request.refused ? (
    <StatusChip meaning="stop">Not accepted</StatusChip>
  ) : (
    <StatusChip meaning="attention" icon={IconCloudUpload}>
      Waiting to be sent
    </StatusChip>
  )
