import '@mantine/core/styles/Combobox.layer.css'
import { Button, Group, NativeSelect, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { iriOf } from '#kernel/resource.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { invalidateLists, useList } from '#web/api/resources.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import { employee } from '../employees/employee.ts'
import { leaveAccount } from '../leave/leave-account.ts'
import { ANNUAL_LEAVE, leaveKind, leaveRequest } from '../leave/leave-request.ts'
import { LEAVE_PATHS, leaveRequestPath } from '../leave/nav.ts'
import { PORTIONS, type Portion, partViolations } from '../leave-rules/request-part.ts'
import { CALENDAR_URL, type LeaveCalendar } from './calendar.ts'
import { RequestPreview } from './preview.web.tsx'
import { completeParts, type DraftPart } from './request-draft.ts'

const EMPTY_PART: DraftPart = { key: 0, firstDay: '', lastDay: '', portion: 'day', from: '', until: '' }
const MAX_PEOPLE = 200
const TODAY_URL = `${CALENDAR_URL}?from=${londonToday()}&until=${londonToday()}`

/** Requests leave. Sending is the only way to save, so that no request stays unsent. */
export default function RequestLeavePage() {
  const people = useList(leaveAccount, { retired: 'false', itemsPerPage: MAX_PEOPLE })
  const kinds = useList(leaveKind, { retired: 'false' })
  // The calendar of today says which employee the reader is.
  const today = useQuery({ queryKey: [TODAY_URL], ...urlQueryOptions<LeaveCalendar>(TODAY_URL) })
  const failed = [people, kinds, today].find(({ isError }) => isError)
  return (
    <Page title="Request leave" back={{ label: 'Leave', to: LEAVE_PATHS.calendar }}>
      {failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
      {people.data && kinds.data && today.data ? (
        <RequestForm
          people={people.data['hydra:member']}
          kinds={kinds.data['hydra:member']}
          own={today.data.lanes.find(({ isMe }) => isMe)?.employee}
        />
      ) : (
        !failed && <LoadingRows rows={6} />
      )}
    </Page>
  )
}

interface FormProps {
  /** Employee that the reader is, if their account is linked to one. */
  readonly own: number | undefined
  readonly people: readonly { readonly id: number; readonly name: string }[]
  readonly kinds: readonly { readonly id: number; readonly code: string; readonly name: string }[]
}

function RequestForm({ people, kinds, own }: FormProps) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [person, setPerson] = useState(String(own ?? ''))
  const [kind, setKind] = useState(String(kinds.find(({ code }) => code === ANNUAL_LEAVE)?.id ?? ''))
  const [parts, setParts] = useState<readonly DraftPart[]>([EMPTY_PART])
  const [notes, setNotes] = useState('')
  const [isTouched, setTouched] = useState(false)
  const complete = completeParts(parts)
  const send = useMutation({
    mutationFn: () =>
      callApi<{ readonly id: number }>('POST', leaveRequest.url, {
        employee: iriOf(employee, Number(person)),
        kind: iriOf(leaveKind, Number(kind)),
        parts: complete,
        notes,
      }),
    onSuccess: ({ id }) => {
      setTouched(false)
      toast.info('The request is sent', 'safe')
      void invalidateLists(queryClient, leaveRequest)
      void navigate(leaveRequestPath(id))
    },
    onError: (error) => toast.failed(error),
  })
  const guard = useUnsavedChangesGuard(isTouched && !send.isPending && !send.isSuccess)
  const wrong = complete ? partViolations(complete, londonToday()) : []
  const sent = send.error instanceof ApiError ? (send.error.violations ?? []) : []
  const errorAt = (n: number, field: string) =>
    [...wrong, ...sent].find(({ propertyPath }) => propertyPath === `parts[${n}].${field}`)?.message
  const change = (key: number, values: Partial<DraftPart>) => {
    setTouched(true)
    setParts((all) => all.map((one) => (one.key === key ? { ...one, ...values } : one)))
  }
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (complete && !wrong.length) send.mutate()
      }}
    >
      {guard}
      <Stack gap="lg">
        <section className={page.card} aria-labelledby="request">
          <h2 id="request">Request</h2>
          {people.length > 1 && (
            <Select
              label="Employee"
              required
              searchable
              data={people.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={person || null}
              onChange={(value) => setPerson(value ?? '')}
            />
          )}
          <NativeSelect
            label="Kind of leave"
            data={kinds.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={kind}
            onChange={(e) => setKind(e.currentTarget.value)}
          />
          {parts.map((part, n) => (
            <PartFields
              key={part.key}
              part={part}
              number={n + 1}
              errorAt={(field) => errorAt(n, field)}
              onChange={(values) => change(part.key, values)}
              {...(parts.length > 1
                ? { onRemove: () => setParts((all) => all.filter(({ key }) => key !== part.key)) }
                : {})}
            />
          ))}
          <Group>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() =>
                setParts((all) => [...all, { ...EMPTY_PART, key: Math.max(...all.map(({ key }) => key)) + 1 }])
              }
            >
              Add dates
            </Button>
          </Group>
          <Textarea
            label="Message to the approver"
            autosize
            minRows={2}
            maxLength={2000}
            value={notes}
            onChange={(e) => {
              setTouched(true)
              setNotes(e.currentTarget.value)
            }}
          />
        </section>
        {person && kind && complete && !wrong.length && (
          <RequestPreview employee={Number(person)} kind={Number(kind)} parts={complete} />
        )}
        <Group>
          <Button type="submit" loading={send.isPending} disabled={!person || !kind || !complete || wrong.length > 0}>
            Send request
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface PartProps {
  readonly part: DraftPart
  readonly number: number
  readonly errorAt: (field: string) => string | undefined
  readonly onChange: (values: Partial<DraftPart>) => void
  readonly onRemove?: () => void
}

function PartFields({ part, number, errorAt, onChange, onRemove }: PartProps) {
  const { firstDay, lastDay, portion, from, until } = part
  const isWhole = portion === 'day'
  return (
    <fieldset style={{ border: 0, padding: 0, margin: 0 }}>
      <legend>{number === 1 ? 'Dates' : `Dates ${number}`}</legend>
      <Group align="flex-start" gap="sm">
        <NativeSelect
          label="Length"
          data={[...PORTIONS]}
          value={portion}
          onChange={(e) =>
            onChange({ portion: e.currentTarget.value as Portion, lastDay: firstDay, from: '', until: '' })
          }
        />
        <DateField
          label={isWhole ? 'First day' : 'Day'}
          value={firstDay}
          error={errorAt('firstDay')}
          onChange={(day) => onChange({ firstDay: day ?? '', ...(isWhole && lastDay ? {} : { lastDay: day ?? '' }) })}
        />
        {isWhole && (
          <DateField
            label="Last day"
            value={lastDay}
            error={errorAt('lastDay')}
            onChange={(day) => onChange({ lastDay: day ?? '' })}
          />
        )}
        {portion === 'hours' && (
          <>
            <TextInput
              type="time"
              label="From"
              value={from}
              error={errorAt('from')}
              onChange={(e) => onChange({ from: e.currentTarget.value })}
            />
            <TextInput
              type="time"
              label="Until"
              value={until}
              error={errorAt('until')}
              onChange={(e) => onChange({ until: e.currentTarget.value })}
            />
          </>
        )}
        {onRemove && (
          <Button variant="subtle" aria-label={`Remove dates ${number}`} onClick={onRemove} mt={24}>
            <IconTrash size={18} aria-hidden />
          </Button>
        )}
      </Group>
    </fieldset>
  )
}
