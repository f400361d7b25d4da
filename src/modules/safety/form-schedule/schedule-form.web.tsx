import '@mantine/core/styles/Combobox.layer.css'
import { Select } from '@mantine/core'
import type { RecordOf } from '#kernel/resource.ts'
import { usePotentialSignatories } from '#modules/documents/signoff/people.web.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import type { FieldInputProps } from '#web/forms/field-input.tsx'
import { fieldInputLabel } from '#web/forms/labels.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import type { customForm } from '../custom-forms/custom-form.ts'
import { type FormScheduleRecord, formSchedule } from './form-schedule.ts'

interface Props {
  readonly form: RecordOf<typeof customForm>
  /** Schedule to edit; undefined for a new schedule. */
  readonly due?: FormScheduleRecord
  readonly onClose: () => void
}

/** Form to create or edit a schedule: assignee, interval, first due date and place. */
export const FormScheduleForm = ({ form, due, onClose }: Props) => (
  <ResourceForm
    resource={formSchedule}
    fields={['user', 'every', 'startsOn', 'place']}
    {...(due ? { record: due } : { extra: { form: form['@id'] }, defaults: { startsOn: londonToday() } })}
    inputs={{ user: (props) => <PersonInput {...props} audience={form.audience} /> }}
    action="Save"
    done={(saved) => `Schedule saved: ${saved.person} will complete “${saved.title}”`}
    onCancel={onClose}
    onSaved={onClose}
  />
)

/** Field to choose a user of the company who can complete the form. */
function PersonInput({
  name,
  field,
  id,
  value,
  onChange,
  onBlur,
  error,
  audience,
}: FieldInputProps & { readonly audience: readonly string[] }) {
  const company = usePotentialSignatories().data?.['hydra:member'] ?? []
  const people = company.filter(({ roles }) => !audience.length || audience.some((role) => roles.includes(role)))
  return (
    <Select
      {...(id ? { id } : {})}
      label={fieldInputLabel(name, field)}
      required
      searchable
      nothingFoundMessage="Nobody with this name can complete the form"
      data={people.map(({ id: user, name: label }) => ({ value: String(user), label }))}
      value={typeof value === 'number' ? String(value) : null}
      error={error}
      {...(onBlur ? { onBlur } : {})}
      onChange={(chosen) => onChange(chosen === null ? null : Number(chosen))}
    />
  )
}
