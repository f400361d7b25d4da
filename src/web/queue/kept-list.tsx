import { IconCloudUpload } from '@tabler/icons-react'
import type { QueuedRequest } from '../api/parcel.ts'
import { Relative } from '../dates/relative.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { StatusChip } from '../ui/status-chip.tsx'
import css from './kept.module.css'

/** What was given for a record on this device and is not in it yet, or was not taken. */
export function Kept({ parcels, label }: { readonly parcels: readonly QueuedRequest[]; readonly label: string }) {
  return (
    <ul className={css.list} aria-label={label}>
      {parcels.map((p) => (
        <li key={p.key}>
          <span>
            <strong>{p.what}</strong>{' '}
            <span className={css.quiet}>
              given here <Relative at={new Date(p.givenAt).toISOString()} />
            </span>
          </span>
          <KeptChip parcel={p} />
          {p.text && <p className={css.text}>{p.text}</p>}
          {p.refused && <ErrorText>{p.refused.why}</ErrorText>}
        </li>
      ))}
    </ul>
  )
}

/** How something stands that is on this device only. */
export const KeptChip = ({ parcel: { refused } }: { readonly parcel: Pick<QueuedRequest, 'refused'> }) =>
  refused ? (
    <StatusChip meaning="stop">Not taken</StatusChip>
  ) : (
    <StatusChip meaning="attention" icon={IconCloudUpload}>
      Waiting to be sent
    </StatusChip>
  )
