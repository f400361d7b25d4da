import '@mantine/core/styles/Switch.layer.css'
import { Alert, Button, Stack, Switch, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { parseId } from '#kernel/iri.ts'
import { callApi } from '#web/api/client.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { DateTimeField } from '#web/dates/date-time-field.tsx'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { Page } from '#web/ui/page.tsx'
import { OfflineNotice } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import { incidentReport } from '../reports/incident-report.ts'
import { INCIDENT_PATHS } from '../reports/paths.ts'
import type { IncidentRecord } from '../reports/save-rows.web.ts'

/**
 * Page to start an entry: blank, as a near miss, or as a copy (`?copy=12`). Opening the page saves nothing. Once
 * the draft is started, the editor saves while the user types.
 */
export default function NewEntry() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const copied = parseId(search.get('copy') ?? '')
  const [description, setDescription] = useState('')
  const [datetime, setDatetime] = useState<string | null>(null)
  const [nearMiss, setNearMiss] = useState(false)
  const [wrong, setWrong] = useState<string>()
  const keys = useMemo(() => createIdempotencyKeys(), [])
  const start = useMutation({
    mutationFn: async () => {
      const model = copied ? `${copied}/copy` : nearMiss ? 'create_near_miss' : 'create_new'
      const { '@id': _, ...blank } = await callApi<Record<string, unknown>>('GET', `${incidentReport.url}/${model}`)
      const body = { ...blank, description: description.trim(), datetime, state: 'draft' }
      return callApi<IncidentRecord>('POST', incidentReport.url, body, { idempotencyKey: keys.keyFor(body) })
    },
    onSuccess: (made) => navigate(`${INCIDENT_PATHS.update}/${made.id}`, { replace: true }),
  })
  const guard = useUnsavedChangesGuard(description !== '' && start.isIdle)
  return (
    <Page title="New entry" back={{ label: 'Accident book', to: getListReturnPath(INCIDENT_PATHS.book) }}>
      <OfflineNotice>
        You are offline. Use “Report an incident”, which stores the report on this device, or start the entry when the
        connection is back.
      </OfflineNotice>
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          if (!description.trim()) return setWrong('Field required, please enter text')
          setWrong(undefined)
          start.mutate()
        }}
      >
        <Stack gap="md" maw="46rem">
          <Textarea
            label="What happened (Required)"
            description={incidentReport.fields.description.help}
            autosize
            minRows={4}
            autoFocus
            value={description}
            error={wrong}
            onChange={(e) => setDescription(e.currentTarget.value)}
          />
          <DateTimeField label="Date and time" value={datetime} onChange={setDatetime} />
          {!copied && (
            <Switch
              label="Near miss: nobody was hurt"
              checked={nearMiss}
              onChange={(e) => setNearMiss(e.currentTarget.checked)}
            />
          )}
          {start.isError && (
            <Alert role="alert" color="red" title="The entry has not been started">
              {errorSentence(start.error)}
            </Alert>
          )}
          <div>
            <Button type="submit" loading={start.isPending}>
              Start
            </Button>
          </div>
        </Stack>
      </form>
      {guard}
    </Page>
  )
}
