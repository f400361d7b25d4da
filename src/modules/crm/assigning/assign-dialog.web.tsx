import { Dialog } from '#web/ui/dialog.tsx'
import Assign, { type ToAssign } from './assign.web.tsx'

interface Props {
  readonly which: ToAssign
  readonly opened: boolean
  readonly onClose: () => void
  readonly onReset: () => void
}

/** Dialog for assigning leads, loaded on demand. */
export default function AssignDialog({ which, ...dialog }: Props) {
  return (
    <Dialog {...dialog} title="Assign leads" size="34rem">
      <Assign which={which} onClose={dialog.onClose} />
    </Dialog>
  )
}
