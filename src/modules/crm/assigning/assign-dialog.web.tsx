import { Dialog } from '#web/ui/dialog.tsx'
import AssignLeadsForm, { type LeadSelection } from './assign.web.tsx'

interface Props {
  readonly which: LeadSelection
  readonly opened: boolean
  readonly onClose: () => void
  readonly onReset: () => void
}

/** Dialog for assigning leads, loaded on demand. */
export default function AssignLeadsDialog({ which, ...dialog }: Props) {
  return (
    <Dialog {...dialog} title="Assign leads" size="34rem">
      <AssignLeadsForm which={which} onClose={dialog.onClose} />
    </Dialog>
  )
}
