import '@mantine/core/styles/Combobox.layer.css'
import { Select } from '@mantine/core'
import { toText } from '#kernel/text.ts'
import { EmployeeSelect } from '#modules/documents/named-employees/employee-select.web.tsx'
import { usePotentialSignatories } from '#modules/documents/signoff/people.web.ts'
import { fieldInputLabel } from '#web/forms/labels.ts'
import { type CustomInput, ResourceForm } from '#web/forms/resource-form.tsx'
import { type CorrectiveAction, correctiveAction } from './corrective-action.ts'

const FIELDS = ['description', 'employee', 'owner', 'managerName', 'email', 'deadline', 'notes', 'adminNotes'] as const

/** Address that raises an action from a source, with the form's initial values and other values to send. */
export interface RaiseInput {
  readonly at: string
  readonly defaults?: Partial<Pick<CorrectiveAction, 'description' | 'employee' | 'managerName' | 'deadline' | 'notes'>>
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
    wide={['description']}
    {...(action ? { record: action } : {})}
    {...(raise?.defaults ? { defaults: raise.defaults } : {})}
    {...(raise?.extra ? { extra: raise.extra } : {})}
    inputs={{ employee: EmployeeInput, owner: OwnerInput }}
    action="Save"
    decided={raise !== undefined}
    done={(saved) =>
      raise ? 'Corrective action raised' : `${saved.number} saved: ${saved.managerName} is responsible`
    }
    onCancel={onClose}
    onSaved={onSaved}
  />
)

/** Picker for an employee, with or without an account. Choosing one fills the fields that follow. */
const EmployeeInput: CustomInput = ({ name, field, id, value, onChange, onBlur, error, set, store }) => (
  <EmployeeSelect
    {...(id ? { id } : {})}
    label={fieldInputLabel(name, field)}
    placeholder="Other people: enter a name below"
    value={typeof value === 'number' ? value : null}
    name={toText(store.get(['managerName']))}
    error={error}
    {...(onBlur ? { onBlur } : {})}
    onChange={(chosen) => {
      onChange(chosen?.id ?? null)
      set({ owner: null, managerName: chosen?.name ?? '', email: chosen?.email ?? '' })
    }}
  />
)

/** Picker for one of the company's people. Choosing a person fills the name field that follows. */
const OwnerInput: CustomInput = ({ name, field, id, value, onChange, onBlur, error, set }) => {
  const people = usePotentialSignatories().data?.['hydra:member'] ?? []
  const choose = (chosen: string | null) => {
    const person = people.find((one) => String(one.id) === chosen)
    onChange(person?.id ?? null)
    set({ employee: null, managerName: person?.name ?? '', email: '' })
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
