import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { useNavigate } from 'react-router'
import type { Violation } from '#kernel/errors.ts'
import { formCompletionProblems } from '#kernel/forms/problems.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { toText } from '#kernel/text.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { useApiRecord } from '#web/api/resources.ts'
import type { RecordWithEtag } from '#web/forms/schema/autosave.ts'
import { ConflictDialog } from '#web/forms/schema/conflict-dialog.tsx'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { recordEndpoint } from '#web/forms/schema/record.ts'
import { RestoredDraftNotice } from '#web/forms/schema/restored-draft.tsx'
import { SaveStatus, useAutosave } from '#web/forms/schema/saved-state.tsx'
import { SchemaForm } from '#web/forms/schema/schema-form.tsx'
import { useFormStore } from '#web/forms/schema/store.ts'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { useShortcuts } from '#web/ui/keys/shortcuts.ts'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { useSingleFlight } from '#web/ui/use-single-flight.ts'
import { PeoplePanel } from '../people/people-panel.web.tsx'
import { incidentReport } from '../reports/incident-report.ts'
import { INCIDENT_PATHS, incidentPath } from '../reports/paths.ts'
import { hasAddress, validateAddress } from '../reports/place-rules.ts'
import type { IncidentRecord } from '../reports/save-rows.web.ts'
import { IncidentStatus } from '../reports/status-chip.web.tsx'
import { EntryStoreContext, InvestigationDepthInput } from './depth-input.web.tsx'
import { IncidentFiles } from './files.web.tsx'
import { IncidentActions } from './incident-actions.web.tsx'
import { LocalAuthorityInput } from './local-authority.web.tsx'
import { Occurrences } from './occurrences.web.tsx'
import { RiskLinks } from './risk-links.web.tsx'

interface PanelProps {
  readonly report: IncidentRecord
  readonly readOnly: boolean
}

/** Returns the input of a step whose rows are saved at once. */
const stepOf = (Panel: ComponentType<PanelProps>) =>
  function RowsOfStep({ read, readOnly }: CustomFieldProps) {
    const found = useApiRecord(incidentReport, Number(read('id')))
    if (found.data) return <Panel report={found.data} readOnly={readOnly} />
    return found.error ? (
      <ErrorState error={found.error} onRetry={() => void found.refetch()} />
    ) : (
      <LoadingRows rows={3} />
    )
  }

const INPUTS = {
  localAuthority: LocalAuthorityInput,
  investigationLevel: InvestigationDepthInput,
  personnel: stepOf(PeoplePanel),
  dangerousOccurrences: stepOf(Occurrences),
  riskLinks: stepOf(RiskLinks),
  correctiveActions: stepOf(IncidentActions),
  files: stepOf(IncidentFiles),
}

const ADDRESS = ['addressLine1', 'city', 'county', 'postcode'] as const

const placeIn = (values: Values) => {
  const [addressLine1, city, county, postcode] = ADDRESS.map((name) => toText(values[name])) as [
    string,
    string,
    string,
    string,
  ]
  return { addressLine1, city, county, postcode, noPostcode: values.noPostcode === true }
}
const isOfAddress = ({ propertyPath }: Violation) => (ADDRESS as readonly string[]).includes(propertyPath)

/** Returns the problems that keep an entry from being complete. */
const entryProblems = (schema: FormSchema, values: Values) => ({
  problems: [
    ...formCompletionProblems(schema, values).filter((one) => !isOfAddress(one)),
    ...validateAddress(placeIn(values)),
  ],
  asked: {},
})

/** Returns true if the entry can be reported with only its site or place, so that the address can follow later. */
const isPlaced = (values: Values): boolean =>
  !hasAddress(placeIn(values)) && (Boolean(values.site) || toText(values.internalLocation).trim() !== '')

interface Props {
  readonly record: IncidentRecord
  readonly opened: RecordWithEtag
  readonly schema: FormSchema
}

/** Steps of an entry, saved while the user types. A draft is reported by its button. */
export function EntryEditor({ record, opened, schema }: Props) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const store = useFormStore(schema, opened.record, (values) => entryProblems(schema, values))
  const autosave = useAutosave({ store, key: `incident/${record.id}`, opened, ...recordEndpoint(record['@id']) })
  const isDraft = record.state === 'draft'
  const leave = async (to: string) => {
    if (!(await autosave.flush())) return
    await queries.invalidateQueries({ queryKey: [incidentReport.url] })
    await navigate(to)
  }
  const save = async () => {
    if (await autosave.flush()) toast.saved(record.number || 'The draft')
  }
  useShortcuts([{ keys: 'mod+s', label: 'Save now', run: () => void save(), always: true }])
  const report = useSingleFlight(async () => {
    const open = entryProblems(schema, store.values()).problems
    const blocking = isPlaced(store.values()) ? open.filter((one) => !isOfAddress(one)) : open
    if (blocking.length) return void store.check()
    if (!(await autosave.flush())) return
    try {
      const { number } = await callApi<IncidentRecord>('PUT', record['@id'], { state: 'reported' })
      toast.info(`Reported as ${number}`, 'safe')
      await queries.invalidateQueries({ queryKey: [incidentReport.url] })
      await navigate(incidentPath(record.id), { replace: true })
    } catch (e) {
      if (e instanceof ApiError && e.violations.length) store.refuse(e.violations)
      else toast.failed(e)
    }
  })
  return (
    <Page
      title={record.number || 'Draft entry'}
      back={{ label: 'Accident book', to: getListReturnPath(INCIDENT_PATHS.book) }}
      beside={
        <>
          <IncidentStatus report={record} />
          <SaveStatus autosave={autosave} />
        </>
      }
      actions={
        isDraft ? (
          <Button onClick={() => void report()}>Report</Button>
        ) : (
          <Button variant="default" onClick={() => void leave(incidentPath(record.id))}>
            Done
          </Button>
        )
      }
    >
      <OfflineNotice>
        You are offline. Your changes are stored on this device and saved when the connection is back.
      </OfflineNotice>
      <RestoredDraftNotice autosave={autosave} />
      <ConflictDialog autosave={autosave} schema={schema} />
      <EntryStoreContext value={store}>
        <SchemaForm store={store} custom={INPUTS} />
      </EntryStoreContext>
    </Page>
  )
}
