import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { iriOf, type Resource } from '#kernel/resource.ts'
import { createTextMatcher } from '#kernel/text/search.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { useList } from '#web/api/resources.ts'
import { FieldInput } from '#web/forms/field-input.tsx'
import { type CustomInput, ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { trainee } from '../matrix/matrix.ts'
import css from '../training.module.css'
import { GROUP_URL, groupFields, MAX_GROUP, RESULTS, trainingRecord } from './record.ts'
import { ProofInput, ValidityReasonInput, validUntilInput } from './record-inputs.web.tsx'

/** Form of a course with several people. */
const GROUP_FORM: Resource = { ...trainingRecord, url: GROUP_URL, fields: groupFields }

/** People to choose from, found by name. */
const PeopleInput: CustomInput = ({ value, onChange, error }) => {
  const people = useList(trainee, { retired: 'false', itemsPerPage: MAX_GROUP }).data?.['hydra:member'] ?? []
  const [typed, setTyped] = useState('')
  const fits = createTextMatcher(typed)
  const chosen = new Set(Array.isArray(value) ? (value as string[]) : [])
  const toggle = (iri: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, iri] : [...chosen].filter((one) => one !== iri))
  return (
    <Checkbox.Group label={`People (${chosen.size} chosen)`} required error={error} value={[...chosen]}>
      <TextInput
        type="search"
        aria-label="Search people"
        placeholder="Search by name or job title"
        value={typed}
        onChange={(e) => setTyped(e.currentTarget.value)}
      />
      <div className={css.people}>
        {people
          .filter(({ name, jobtitlename }) => fits(`${name} ${jobtitlename}`))
          .map(({ id, name, jobtitlename }) => (
            <Checkbox
              key={id}
              value={iriOf(employee, id)}
              label={jobtitlename ? `${name}, ${jobtitlename}` : name}
              onChange={(e) => toggle(iriOf(employee, id), e.currentTarget.checked)}
            />
          ))}
      </div>
    </Checkbox.Group>
  )
}

/** A group has taken part in a course; errors are corrected person by person. */
const ResultInput: CustomInput = (props) => (
  <FieldInput {...props} field={{ ...props.field, options: RESULTS.filter(({ value }) => value !== 'void') }} />
)

const INPUTS = {
  employees: PeopleInput,
  result: ResultInput,
  validUntil: validUntilInput(),
  validityReason: ValidityReasonInput,
  proof: ProofInput,
}

interface Props {
  readonly onClose: () => void
  readonly onSaved: () => void
}

/** Records one course for several people: either all records are added or none. */
export default function GroupDialog({ onClose, onSaved }: Props) {
  return (
    <Dialog opened onClose={onClose} title="Record a group">
      <ResourceForm
        resource={GROUP_FORM}
        fields={['course', 'result', 'completedOn', 'validUntil', 'validityReason', 'provider', 'employees', 'proof']}
        inputs={INPUTS}
        wide={['employees', 'proof']}
        decided
        action="Record training"
        done={() => 'The training is recorded for everybody chosen'}
        onCancel={onClose}
        onSaved={() => {
          onSaved()
          onClose()
        }}
      />
    </Dialog>
  )
}
