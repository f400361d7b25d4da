import '@mantine/core/styles/Combobox.layer.css'
import { Button, Group, NativeSelect, Select, Stack, Textarea } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { iriOf } from '#kernel/resource.ts'
import { ApiError } from '#web/api/client.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { invalidateLists } from '#web/api/resources.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import { loadOfflineQueue, QUEUED_RESULT, sendOrQueue } from '#web/offline/outbox/outbox.ts'
import page from '#web/ui/page.module.css'
import { toast } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import { employee } from '../employees/employee.ts'
import { leaveKind, leaveRequest } from '../leave/leave-request.ts'
import { leaveRequestPath } from '../leave/nav.ts'
import { partViolations, type RequestPart } from '../leave-rules/request-part.ts'
import { PartFields } from './part-fields.web.tsx'
import { formatPart } from './period.ts'
import { RequestPreview } from './preview.web.tsx'
import {
  addPart,
  completeParts,
  type DraftPart,
  EMPTY_FACTS,
  type LeaveDraft,
  toRequestBody,
  unsentRequestPath,
} from './request-draft.ts'
import { type Kind, StatutoryFields, StatutoryRules } from './statutory.web.tsx'

interface Props {
  /** Key of the refused request from which `initial` was taken. It is removed once the corrected one is sent. */
  readonly refusedKey: string | undefined
  readonly initial: LeaveDraft
  /** Called once a request is stored on this device, because there is no connection. */
  readonly onQueued: () => void
  readonly people: readonly { readonly id: number; readonly name: string }[]
  readonly kinds: readonly Kind[]
}

export function RequestForm({ refusedKey, initial, onQueued, people, kinds }: Props) {
  const [draft, setDraft] = useState(initial)
  const [isTouched, setTouched] = useState(false)
  const chosen = kinds.find(({ id }) => iriOf(leaveKind, id) === draft.kind)
  const complete = completeParts(draft.parts)
  const send = useSendRequest(refusedKey, () => setTouched(false), onQueued)
  const guard = useUnsavedChangesGuard(isTouched && !send.isPending && !send.isSuccess)
  const wrong = complete ? partViolations(complete, londonToday()) : []
  const sent = send.error instanceof ApiError ? (send.error.violations ?? []) : []
  const errorAt = (path: string) => [...wrong, ...sent].find(({ propertyPath }) => propertyPath === path)?.message
  const change = (values: Partial<LeaveDraft>) => {
    setTouched(true)
    setDraft((now) => ({ ...now, ...values }))
  }
  const changePart = (key: number, values: Partial<DraftPart>) =>
    change({ parts: draft.parts.map((one) => (one.key === key ? { ...one, ...values } : one)) })
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (complete && chosen && !wrong.length) send.mutate({ draft, parts: complete, kind: chosen })
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
              data={people.map(({ id, name }) => ({ value: iriOf(employee, id), label: name }))}
              value={draft.employee || null}
              onChange={(value) => change({ employee: value ?? '' })}
            />
          )}
          <NativeSelect
            label="Kind of leave"
            data={kinds.map(({ id, name }) => ({ value: iriOf(leaveKind, id), label: name }))}
            value={draft.kind}
            onChange={(e) => change({ kind: e.currentTarget.value })}
          />
          {chosen?.rule && <StatutoryRules kind={chosen} />}
          {draft.parts.map((part, n) => (
            <PartFields
              key={part.key}
              part={part}
              number={n + 1}
              errorAt={(field) => errorAt(`parts[${n}].${field}`)}
              onChange={(values) => changePart(part.key, values)}
              {...(draft.parts.length > 1
                ? { onRemove: () => change({ parts: draft.parts.filter(({ key }) => key !== part.key) }) }
                : {})}
            />
          ))}
          <Group>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => change({ parts: addPart(draft.parts) })}
            >
              Add dates
            </Button>
          </Group>
          {chosen?.rule && (
            <StatutoryFields
              kind={chosen}
              facts={draft.facts}
              errorAt={errorAt}
              onChange={(values) => change({ facts: { ...draft.facts, ...values } })}
            />
          )}
          <Textarea
            label="Message to the approver"
            autosize
            minRows={2}
            maxLength={2000}
            value={draft.notes}
            onChange={(e) => change({ notes: e.currentTarget.value })}
          />
        </section>
        {draft.employee && chosen && complete && !wrong.length && (
          <RequestPreview
            employee={draft.employee}
            kind={draft.kind}
            parts={complete}
            facts={chosen.rule ? draft.facts : EMPTY_FACTS}
          />
        )}
        <Group>
          <Button
            type="submit"
            loading={send.isPending}
            disabled={!draft.employee || !chosen || !complete || wrong.length > 0}
          >
            Send request
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface Sending {
  readonly draft: LeaveDraft
  readonly parts: readonly RequestPart[]
  readonly kind: Kind
}

/** Sends a request. Without a connection, it is stored on this device and sent later, once. */
function useSendRequest(refusedKey: string | undefined, onSent: () => void, onQueued: () => void) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [keys] = useState(createIdempotencyKeys)
  return useMutation({
    mutationFn: async ({ draft, parts, kind }: Sending) => {
      const body = toRequestBody(draft, parts, Boolean(kind.rule))
      const key = keys.keyFor(body)
      const result = await sendOrQueue<{ readonly id: number }>('POST', leaveRequest.url, body, {
        idempotencyKey: key,
        description: {
          what: `Request for ${kind.name.toLowerCase()}`,
          text: parts.map(formatPart).join('\n'),
          at: unsentRequestPath(key),
          about: [leaveRequest.url],
        },
      })
      if (refusedKey) await (await loadOfflineQueue())?.remove(refusedKey)
      return result
    },
    onSuccess: (result) => {
      onSent()
      if (result === QUEUED_RESULT) {
        toast.info('Not sent yet. The request is stored on this device, and sent when the connection is back.', 'plain')
        return onQueued()
      }
      toast.info('The request is sent', 'safe')
      void invalidateLists(queryClient, leaveRequest)
      return navigate(leaveRequestPath(result.id))
    },
    onError: (error) => toast.failed(error),
  })
}
