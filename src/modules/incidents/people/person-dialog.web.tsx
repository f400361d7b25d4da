import { Button, SegmentedControl, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useId, useMemo, useState, useSyncExternalStore } from 'react'
import { formFieldsByName } from '#kernel/forms/fields-in.ts'
import { isSameValue, type Values } from '#kernel/forms/visible.ts'
import type { Resource } from '#kernel/resource.ts'
import { ApiError } from '#web/api/client.ts'
import { listQueryOptions } from '#web/api/resources.ts'
import { splitDateAndTime } from '#web/dates/uk-dates.ts'
import { SchemaForm } from '#web/forms/schema/schema-form.tsx'
import { useFormStore } from '#web/forms/schema/store.ts'
import { useFormCompletion } from '#web/forms/schema/use-form.ts'
import { linkedRecordIri } from '#web/forms/values.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import { useSingleFlight } from '#web/ui/use-single-flight.ts'
import { lookups } from '../lookups/lookup.ts'
import { type IncidentRecord, useReportRows } from '../reports/save-rows.web.ts'
import { incidentPerson, RECORD_TYPES } from './incident-person.ts'
import { buildPersonForm, deriveFormValues, detailsFromForm, type PersonFormLists } from './person-form.ts'
import { PERSON_INPUTS, PersonContext } from './person-inputs.web.tsx'
import { validateCompletePerson } from './person-rules.ts'
import { StatementInput } from './statement-input.web.tsx'

type Person = NonNullable<IncidentRecord['personnel']>[number]

interface Props {
  readonly report: IncidentRecord
  /** Person to edit, or `new`; undefined while the dialog is closed. */
  readonly person: Person | 'new' | undefined
  readonly readOnly: boolean
  readonly onClose: () => void
}

/** Dialog with the details of an injured party or a witness. */
export const PersonDialog = ({ report, person, readOnly, onClose }: Props) => (
  <Dialog
    opened={person !== undefined}
    onClose={onClose}
    title={`${readOnly ? 'View' : person === 'new' ? 'Add' : 'Edit'} Witness / Injured Party`}
  >
    <LoadedPerson
      report={report}
      person={person === 'new' ? undefined : person}
      readOnly={readOnly}
      onClose={onClose}
    />
  </Dialog>
)

interface EditorProps {
  readonly report: IncidentRecord
  readonly person: Person | undefined
  readonly readOnly: boolean
  readonly onClose: () => void
}

function LoadedPerson(props: EditorProps) {
  const { lists, error, retry } = useLists()
  const [recordType, setRecordType] = useState<string>(props.person?.recordType ?? 'IP')
  const [typed, setTyped] = useState<Values>(() => initialValues(props.person))
  if (error) return <ErrorState error={error} onRetry={retry} />
  if (!lists) return <LoadingRows rows={8} />
  return (
    <PersonEditor
      key={recordType}
      {...props}
      lists={lists}
      values={{ ...typed, recordType }}
      onType={(next, values) => {
        setTyped(values)
        setRecordType(next)
      }}
    />
  )
}

const { jobClasses, kinds, mainFactors, injuries, severities, bodyParts, injuryEffects } = lookups
const LISTS = { jobClasses, kinds, mainFactors, injuries, severities, bodyParts, injuryEffects }

/** Loads the form's lists. Retired entries are included, because a person may have one of them. */
function useLists() {
  const all = useQueries({
    queries: Object.values(LISTS).map((list: Resource) => listQueryOptions(list, { pagination: false })),
  })
  const failed = all.find(({ error }) => error)
  const rows = Object.keys(LISTS).map((name, i) => [name, all[i]?.data?.['hydra:member']] as const)
  return {
    lists: rows.every(([, list]) => list) ? (Object.fromEntries(rows) as unknown as PersonFormLists) : undefined,
    error: failed?.error,
    retry: () => void failed?.refetch(),
  }
}

/** Returns the values of the form, with IRIs for linked records. */
function initialValues(person: Person | undefined): Values {
  const fields = Object.entries(incidentPerson.fields)
  const values = Object.fromEntries(
    fields.flatMap(([name, field]) => {
      const value = person?.[name as keyof Person]
      if (value === undefined) return []
      return [[name, field.kind === 'link' ? linkedRecordIri(value) : value]]
    }),
  )
  return { injuryEffect: [], ...values }
}

interface LoadedProps extends EditorProps {
  readonly lists: PersonFormLists
  readonly values: Values
  readonly onType: (recordType: string, values: Values) => void
}

function PersonEditor({ report, person, readOnly, lists, values, onType, onClose }: LoadedProps) {
  const [schema] = useState(() => buildPersonForm(String(values.recordType), lists, values))
  const store = useFormStore(schema, values, (now) => ({
    problems: validateCompletePerson(detailsFromForm(now), lists),
    asked: {},
  }))
  const rows = useReportRows(report, 'personnel')
  const [busy, setBusy] = useState(false)
  const missing = useId()
  const { percent } = useFormCompletion(store)
  const isChanged = useSyncExternalStore(store.onAny, () => !isSameValue(store.values(), values))
  const guard = useUnsavedChangesGuard(isChanged && !busy && !readOnly)
  const day = report.datetime ? splitDateAndTime(report.datetime).day : undefined
  useEffect(
    () =>
      readOnly
        ? undefined
        : store.onAny(() => {
            const following = deriveFormValues(store.values(), lists, day)
            if (Object.keys(following).length) store.replace(following)
          }),
    [store, lists, day, readOnly],
  )
  const context = useMemo(() => ({ store, lists, day, report, stored: person }), [store, lists, day, report, person])
  const save = useSingleFlight(async () => {
    setBusy(true)
    const sent = Object.fromEntries(
      [...formFieldsByName(schema).keys(), 'recordType'].flatMap((name) =>
        store.get([name]) === undefined ? [] : [[name, store.get([name])]],
      ),
    )
    try {
      await (person ? rows.change(person['@id'], sent) : rows.add(sent))
      toast.saved(String(store.get(['name'])))
      onClose()
    } catch (e) {
      const said = e instanceof ApiError ? e.violations : []
      if (said.length)
        store.refuse(said.map((v) => ({ ...v, propertyPath: v.propertyPath.replace(/^personnel\[\d+\]\./, '') })))
      else toast.failed(e)
      setBusy(false)
    }
  })
  return (
    <>
      <SegmentedControl
        aria-label="Type"
        mb="md"
        value={String(values.recordType)}
        onChange={(type) => onType(type, store.values())}
        data={RECORD_TYPES.map(({ value, label }) => ({ value, label }))}
        readOnly={readOnly}
      />
      <PersonContext value={context}>
        <SchemaForm store={store} readOnly={readOnly} custom={INPUTS} isWide={isWide} stepIn="here" />
      </PersonContext>
      <DialogActions>
        {!readOnly && (
          <Text size="sm" id={missing} role="status">
            {percent === 100 ? '100% complete' : `${percent}% complete. ${missingWords(store)}`}
          </Text>
        )}
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        {!readOnly && (
          <Button disabled={percent < 100} aria-describedby={missing} loading={busy} onClick={() => void save()}>
            {person ? 'Save' : 'Add'}
          </Button>
        )}
      </DialogActions>
      {guard}
    </>
  )
}

const INPUTS = { ...PERSON_INPUTS, statement: StatementInput }
const isWide = () => true
const SHOWN_MISSING = 3

/** Returns the fields that are still to be filled in, for example “Still to fill in: Name, Gender and 4 more”. */
function missingWords({ derived, schema }: ReturnType<typeof useFormStore>): string {
  const labels = formFieldsByName(schema)
  const names = [
    ...new Set(derived().problems.map(({ propertyPath }) => labels.get(propertyPath)?.label ?? propertyPath)),
  ]
  const more = names.length - SHOWN_MISSING
  return `Still to fill in: ${names.slice(0, SHOWN_MISSING).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
