import type { RecordOf } from '#kernel/resource.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { CostInput } from '../courses/cost-input.web.tsx'
import { trainingSession } from './session.ts'

type Session = RecordOf<typeof trainingSession>

const FIELDS = ['trainer', 'startsAt', 'endsAt', 'seats', 'price', 'online', 'place', 'joiningDetails'] as const
const INPUTS = { price: CostInput }

interface Props {
  /** Session to change. */
  readonly session?: Session
  readonly onClose: () => void
  readonly onSaved?: (session: Session) => void
}

/** Adds a session, or changes one. People with a seat get another joining e-mail if the start changes. */
export const SessionFormDialog = ({ session, onClose, onSaved }: Props) => (
  <Dialog opened onClose={onClose} title={session ? 'Edit session' : 'Add session'} size="lg">
    <ResourceForm
      resource={trainingSession}
      fields={session ? FIELDS : ['course', ...FIELDS]}
      {...(session ? { record: session } : {})}
      inputs={INPUTS}
      wide={['place', 'joiningDetails']}
      onCancel={onClose}
      onSaved={(saved) => {
        onClose()
        onSaved?.(saved)
      }}
    />
  </Dialog>
)
