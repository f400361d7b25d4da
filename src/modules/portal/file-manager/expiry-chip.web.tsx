import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { fileExpiryStatus } from '../files/uploaded-document.ts'
import css from './manager.module.css'

interface Props {
  readonly file: { readonly expires: string | null; readonly remindDays: number | null }
}

/** A file's expiry date, if set: dimmed text until the day of the reminder, then a coloured chip. */
export function ExpiryChip({ file }: Props) {
  const expiry = fileExpiryStatus(file, londonToday())
  if (expiry.stands === 'never') return null
  if (expiry.stands === 'holds') return <span className={css.dim}>{expiry.words}</span>
  const on = formatIsoAsUkDate(file.expires)
  return (
    <StatusChip meaning={expiry.stands === 'expired' ? 'stop' : 'attention'} title={on}>
      {expiry.words}
    </StatusChip>
  )
}
