import { Anchor, Stack, Text, Textarea } from '@mantine/core'
import { IconCheck, IconQuestionMark, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { DateField } from '#web/dates/date-field.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { leaveKind, leaveRequest } from '../leave/leave-request.ts'
import type { LeaveCondition } from '../leave-rules/statutory-leave.ts'
import { HR_ROLES } from '../rights.ts'
import type { LeaveFacts } from './request-draft.ts'

export type Kind = RecordOf<typeof leaveKind>

/** The law on a kind of leave, with its source. */
export const StatutoryRules = ({ kind }: { readonly kind: Kind }) => (
  <dl className={page.facts}>
    <dt>{leaveKind.fields.amount.label ?? 'Amount'}</dt>
    <dd>{kind.amount}</dd>
    <dt>{leaveKind.fields.service.label}</dt>
    <dd>{kind.service}</dd>
    <dt>{leaveKind.fields.noticeText.label}</dt>
    <dd>{kind.noticeText}</dd>
    <dt>Pay</dt>
    <dd>{kind.pay}</dd>
    <dt>{leaveKind.fields.link.label}</dt>
    <dd>
      {kind.reference}.{' '}
      <Anchor href={kind.link} target="_blank" rel="noreferrer">
        Read the rules
      </Anchor>
    </dd>
  </dl>
)

interface FieldsProps {
  readonly kind: Kind
  readonly facts: LeaveFacts
  readonly errorAt: (path: string) => string | undefined
  readonly onChange: (facts: Partial<LeaveFacts>) => void
}

/** Facts that only the employee and human resources read. */
export function StatutoryFields({ kind, facts, errorAt, onChange }: FieldsProps) {
  const actor = useActor()
  const event = kind.rule?.event
  return (
    <>
      {event && (
        <DateField
          label={event}
          value={facts.eventOn ?? ''}
          error={errorAt('eventOn')}
          onChange={(day) => onChange({ eventOn: day ?? null })}
        />
      )}
      {hasRole(actor, HR_ROLES) && (
        <DateField
          label="Notice given on"
          value={facts.noticeOn ?? ''}
          error={errorAt('noticeOn')}
          onChange={(day) => onChange({ noticeOn: day ?? null })}
        />
      )}
      <Textarea
        label="Details for human resources"
        description="Only you and human resources can read the details and the day above. Your approver sees the kind of leave and its dates; colleagues see that you are busy."
        autosize
        minRows={2}
        maxLength={2000}
        value={facts.details}
        error={errorAt('details')}
        onChange={(e) => onChange({ details: e.currentTarget.value })}
      />
    </>
  )
}

const LOOKS = {
  met: { meaning: 'safe', icon: IconCheck, label: 'Met' },
  notMet: { meaning: 'attention', icon: IconX, label: 'Not met' },
  unknown: { meaning: 'plain', icon: IconQuestionMark, label: 'Unknown' },
} as const
const SUBJECTS = { service: 'Service', notice: 'Notice' } as const

/** Conditions of the law, and whether the stored facts meet them. People decide, also if a condition is not met. */
export function Conditions({ conditions }: { readonly conditions: readonly LeaveCondition[] }) {
  if (!conditions.length) return null
  return (
    <Stack gap="xs">
      {conditions.map(({ subject, state, text }) => {
        const { label, ...look } = LOOKS[state]
        return (
          <div key={text}>
            <strong>{SUBJECTS[subject]}</strong> <StatusChip {...look}>{label}</StatusChip>
            <Text size="sm">{text}</Text>
          </div>
        )
      })}
      <Text c="dimmed" size="sm">
        Nothing is refused for this: an employer may accept shorter notice, and the law has exceptions.
      </Text>
    </Stack>
  )
}

/** Conditions of a request that was sent, as far as the reader may see its facts. */
export default function RequestConditions({ id }: { readonly id: number }) {
  const url = `${leaveRequest.url}/${id}/conditions`
  const answer = useQuery({
    queryKey: [url],
    ...urlQueryOptions<{ readonly conditions: readonly LeaveCondition[] }>(url),
  })
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  return answer.data ? <Conditions conditions={answer.data.conditions} /> : <LoadingRows rows={2} />
}
