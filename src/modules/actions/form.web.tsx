import '@mantine/core/styles/Combobox.layer.css'
import { Select } from '@mantine/core'
import { usePotentialSignatories } from '#modules/documents/signoff/people.web.ts'
import { fieldInputLabel } from '#web/forms/labels.ts'
import { type CustomInput, ResourceForm } from '#web/forms/resource-form.tsx'
import { type CorrectiveAction, correctiveAction } from './corrective-action.ts'

const FIELDS = ['description', 'owner', 'managerName', 'email', 'deadline', 'notes', 'adminNotes'] as const

/** Address that raises an action from a source, with the form's initial values and other values to send. */
export interface RaiseInput {
  readonly at: string
  readonly defaults?: Partial<Pick<CorrectiveAction, 'description' | 'managerName' | 'deadline' | 'notes'>>
  readonly extra?: Readonly<Record<string, string>>
}

interface Props {
  /** The action to edit; undefined for a new one. */
  readonly action?: CorrectiveAction
  /** Source that raises the new action; by default, the action is raised by hand. */
  readonly raise?: RaiseInput
  readonly onClose: () => void
  readonly onSaved?: () => void
}

export const CorrectiveActionForm = ({ action, raise, onClose, onSaved = onClose }: Props) => (
  <ResourceForm
    resource={raise ? { ...correctiveAction, url: raise.at } : correctiveAction}
    fields={FIELDS}
    wide={['description', 'owner']}
    {...(action ? { record: action } : {})}
    {...(raise?.defaults ? { defaults: raise.defaults } : {})}
    {...(raise?.extra ? { extra: raise.extra } : {})}
    inputs={{ owner: OwnerInput }}
    action="Save"
    decided={raise !== undefined}
    done={(saved) =>
      raise ? 'Corrective action raised' : `${saved.number} saved: ${saved.managerName} is responsible`
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
