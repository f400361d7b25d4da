import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Alert, Checkbox, Select, Text } from '@mantine/core'
import { createContext, use } from 'react'
import { toText } from '#kernel/text.ts'
import { employee, employeeWithDetails } from '#modules/people/employees/employee.ts'
import { type Collection, callApi, queryString } from '#web/api/client.ts'
import { formFieldLabel } from '#web/forms/labels.ts'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import type { FormStore } from '#web/forms/schema/store.ts'
import { useDebouncedValues } from '#web/forms/store/use-value-store.ts'
import { ErrorText } from '#web/ui/error-text.tsx'
import { toast } from '#web/ui/toast.ts'
import { offeredSeverities } from '../lookups/injury-rules.ts'
import { formatMarkedName } from '../lookups/lookup.ts'
import css from '../reports/incidents.module.css'
import type { IncidentRecord } from '../reports/save-rows.web.ts'
import { detailsFromForm, type PersonFormLists, valuesFromEmployee } from './person-form.ts'
import { bodyPartsFor, isRiddorSeverity, NO_BODY_PARTS, toggleEffect } from './person-rules.ts'

interface PersonFormContext {
  readonly store: FormStore
  readonly lists: PersonFormLists
  /** Day of the accident in London; undefined while unknown. */
  readonly day: string | undefined
  readonly report: IncidentRecord
  /** The person as stored; undefined for a new one. */
  readonly stored: NonNullable<IncidentRecord['personnel']>[number] | undefined
}

export const PersonContext = createContext<PersonFormContext | undefined>(undefined)

function usePersonForm() {
  const context = use(PersonContext)
  if (!context) throw new Error('The input of a person is shown outside its form.')
  return { ...context, person: detailsFromForm(useDebouncedValues(context.store)) }
}

/** Employees in service, as the accident book lists them. */
const IN_SERVICE = { retired: false, isSubby: false, 'order[forename]': 'ASC' }

/** Picker for an employee, whose details are then filled in. */
function EmployeeInput({ field, value, onChange, readOnly, error }: CustomFieldProps) {
  const { store, day } = usePersonForm()
  const choose = async (iri: string | null, name: string) => {
    onChange(iri)
    if (!iri) return
    store.replace({ name })
    try {
      const id = iri.slice(iri.lastIndexOf('/') + 1)
      const { 'hydra:member': found } = await callApi<Collection<Parameters<typeof valuesFromEmployee>[0]>>(
        'GET',
        `${employeeWithDetails.url}/safetyDetailed${queryString({ ...IN_SERVICE, id })}`,
      )
      // Another employee may have been chosen in the meantime.
      if (found[0] && store.get(['employee']) === iri) store.replace(valuesFromEmployee(found[0], day))
    } catch (e) {
      toast.failed(e)
    }
  }
  return (
    <RemoteSelect
      target={employee}
      params={IN_SERVICE}
      label={field.label}
      description="Choosing an employee fills in their details. Leave it empty for other people."
      value={value}
      onChange={() => undefined}
      onChoice={(choice) => void choose(choice?.iri ?? null, choice?.name ?? '')}
      readOnly={readOnly}
      error={error}
    />
  )
}

interface ListProps extends CustomFieldProps {
  readonly options: readonly { readonly '@id': string; readonly description: string; readonly composed?: boolean }[]
  readonly description?: string | undefined
}

const ListInput = ({ field, value, onChange, readOnly, error, options, description }: ListProps) => (
  <Select
    label={formFieldLabel(field)}
    required={field.required === true}
    searchable
    clearable
    data={options.map((one) => ({ value: one['@id'], label: formatMarkedName(one) }))}
    value={toText(value) || null}
    onChange={onChange}
    readOnly={readOnly}
    error={error}
    description={description}
    nothingFoundMessage="No results"
  />
)

/** Searchable picker for the field's own options. */
const ChoiceInput = (props: CustomFieldProps) => (
  <ListInput
    {...props}
    options={(props.field.options ?? []).map(({ value, label }) => ({ '@id': String(value), description: label }))}
  />
)

/** Severities that the person's job class allows. */
function SeverityInput(props: CustomFieldProps) {
  const { lists, person } = usePersonForm()
  const offered = offeredSeverities(lists.severities, person.jobClass ?? null)
  return (
    <ListInput
      {...props}
      options={lists.severities.filter((one) => offered.includes(one) || one['@id'] === props.value)}
      description={isRiddorSeverity(person, lists) ? 'RIDDOR makes this severity reportable.' : undefined}
    />
  )
}

/** Parts of the body that the injury and the severity allow. */
function BodyPartInput(props: CustomFieldProps) {
  const { lists, person } = usePersonForm()
  const ids = new Set(bodyPartsFor(person, lists).map(({ id }) => id))
  if (person.severity && person.injurySustained && !ids.size)
    return (
      <Alert color="yellow" role="alert" title={formFieldLabel(props.field)}>
        {NO_BODY_PARTS}
      </Alert>
    )
  return (
    <ListInput
      {...props}
      options={lists.bodyParts.filter(({ id }) => ids.has(id))}
      description={ids.size ? undefined : 'Choose the injury and the severity first.'}
    />
  )
}

function EffectsInput({ field, value, onChange, readOnly, error }: CustomFieldProps) {
  const { lists } = usePersonForm()
  const chosen = Array.isArray(value) ? (value as number[]) : []
  return (
    <fieldset className={css.effects}>
      <legend>{formFieldLabel(field)}</legend>
      {lists.injuryEffects
        .filter(({ id, retired }) => !retired || chosen.includes(id))
        .map(({ id, description, composed }) => (
          <Checkbox
            key={id}
            label={formatMarkedName({ description, composed })}
            checked={chosen.includes(id)}
            disabled={readOnly}
            onChange={() => onChange(toggleEffect(chosen, id, lists))}
          />
        ))}
      {error && <ErrorText>{error}</ErrorText>}
      {!chosen.length && !error && (
        <Text size="sm" c="dimmed">
          Select every effect, or “None of the above”.
        </Text>
      )}
    </fieldset>
  )
}

export const PERSON_INPUTS = {
  employee: EmployeeInput,
  jobClass: ChoiceInput,
  incidentType: ChoiceInput,
  mainFactor: ChoiceInput,
  injurySustained: ChoiceInput,
  severity: SeverityInput,
  bodyPart: BodyPartInput,
  injuryEffect: EffectsInput,
}
