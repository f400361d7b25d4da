import '@mantine/core/styles/Combobox.layer.css'
import { Select } from '@mantine/core'
import { usePotentialSignatories } from '#modules/documents/signoff/people.web.ts'
import { fieldInputLabel } from '#web/forms/labels.ts'
import { type CustomInput, ResourceForm } from '#web/forms/resource-form.tsx'
import { type CorrectiveAction, correctiveAction } from './corrective-action.ts'

const FIELDS = ['description', 'owner', 'managerName', 'email', 'deadline', 'notes', 'adminNotes'] as const

interface Props {
  /** The action to edit; undefined for a new one. */
  readonly action?: CorrectiveAction
  /** Address that raises a new action from another record; by default, the register. */
  readonly raiseAt?: string
  readonly onClose: () => void
  readonly onSaved?: () => void
}

export const CorrectiveActionForm = ({ action, raiseAt, onClose, onSaved = onClose }: Props) => (
  <ResourceForm
    resource={raiseAt ? { ...correctiveAction, url: raiseAt } : correctiveAction}
    fields={FIELDS}
    wide={['description', 'owner']}
    {...(action ? { record: action } : {})}
    inputs={{ owner: OwnerInput }}
    action="Save"
    decided={raiseAt !== undefined}
    done={(saved) =>
      raiseAt ? 'Corrective action raised' : `${saved.number} saved: ${saved.managerName} is responsible`
    }
    onCancel={onClose}
    onSaved={onSaved}
  />
)

/** Picker for one of the company's people. Choosing a person fills the name field that follows. */
const OwnerInput: CustomInput = ({ name, field, id, value, onChange, onBlur, error, set }) => {
  const people = usePotentialSignatories().data?.['hydra:member'] ?? []
  const choose = (chosen: string | null) => {
    const person = people.find((one) => String(one.id) === chosen)
    onChange(person?.id ?? null)
    set({ managerName: person?.name ?? '', email: '' })
  }
  return (
    <Select
      {...(id ? { id } : {})}
      label={fieldInputLabel(name, field)}
      placeholder="No account: enter a name below"
      searchable
      clearable
      nothingFoundMessage="No user found with this name"
      data={people.map(({ id: user, name: label }) => ({ value: String(user), label }))}
      value={typeof value === 'number' ? String(value) : null}
      error={error}
      {...(onBlur ? { onBlur } : {})}
      onChange={choose}
    />
  )
}
