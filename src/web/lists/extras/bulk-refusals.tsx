import { Anchor, Button } from '@mantine/core'
import { Link } from 'react-router'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import css from './bulk-bar.module.css'
import type { BulkOutcome, BulkRejection } from './use-bulk.ts'

interface Props {
  readonly outcome: BulkOutcome
  readonly href: ((row: never) => string) | undefined
  readonly onClose: () => void
}

/** Dialog with the result of a bulk action, which lists each rejected row with the reason. */
export function BulkRejectionsDialog({ outcome, href, onClose }: Props) {
  const name = (r: BulkRejection) => r.title ?? `No. ${r.id}`
  return (
    <Dialog opened onClose={onClose} title="Some rows were refused" size="36rem">
      <p role="status">{outcome.sentence}</p>
      <ul className={css.refusals} aria-label="Refused rows">
        {outcome.refusals.map((r) => (
          <li key={r.id}>
            {href ? (
              <Anchor component={Link} to={href(r as never)} fw={600}>
                {name(r)}
              </Anchor>
            ) : (
              <strong>{name(r)}</strong>
            )}
            <span className={css.reason}>{r.message}</span>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}
