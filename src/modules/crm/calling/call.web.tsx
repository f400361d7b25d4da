import { ActionIcon, Anchor, Button, Group, Text, TextInput, VisuallyHidden } from '@mantine/core'
import {
  IconLock,
  IconMail,
  IconPhone,
  IconPhoneOff,
  IconPlayerPause,
  IconPlayerPlay,
  IconUserShield,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, Suspense, useRef } from 'react'
import { listNumbersOfField } from '#kernel/text/phone.ts'
import { useNow } from '#web/dates/use-now.ts'
import { firstScreenReady } from '#web/shell/first-screen.ts'
import { formatDialUri, useDialSetting } from '#web/ui/dial-setting.ts'
import { ShortcutKeys } from '#web/ui/keys/shortcut.tsx'
import { useShortcuts } from '#web/ui/keys/shortcuts.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { DO_NOT_CALL_REASON } from '../contacts/contact.ts'
import { formatLeadName, type LeadRecord, leadNotesQueryOptions, useLockedNumbers } from '../contacts/data.web.ts'
import { usableEmail } from '../contacts/usable-email.ts'
import { useOutcomes } from '../outcomes/data.web.ts'
import css from './calling.module.css'
import {
  type CallDraft,
  type CallDraftUpdater,
  callTimerElapsedMs,
  minutesToRecord,
  startCallTimer,
  stopCallTimer,
  useRerenderEverySecond,
} from './draft.web.ts'
import { describeCallAttempts, describeDueReason, formatTimeInZone, timeZoneForPhoneNumber } from './due-reason.web.ts'
import type { LeadLease } from './use-lease.web.ts'

/** Loaded after the first paint. Its space is reserved, so that the layout doesn't shift. */
const People = lazyComponent(async () => {
  await firstScreenReady
  return import('../people/people.web.tsx')
})

interface Props {
  readonly lead: LeadRecord
  readonly lease: LeadLease
  readonly draft: CallDraft
  readonly change: CallDraftUpdater
}

/** The call panel: contact person, reason for the call, number and timer. */
export function CallPanel({ lead, lease, draft, change }: Props) {
  const now = useNow()
  const notes = useQuery(leadNotesQueryOptions(lead.id))
  const outcomes = useOutcomes()
  const numbers = [lead.phone, lead.mobile].flatMap(listNumbersOfField)
  const email = usableEmail(lead.email)
  const locked = useLockedNumbers(lead.id, numbers.length > 0)
  const zone = numbers[0] && timeZoneForPhoneNumber(numbers[0])
  return (
    <div className={css.card}>
      <Text className={css.person} data-person>
        {lead.name?.trim() || 'Name unknown'}
        {lead.jobTitle && (
          <Text size="sm" c="dimmed" component="span">
            {' '}
            {lead.jobTitle}
          </Text>
        )}
      </Text>
      {lead.personNotes && <Text size="sm">{lead.personNotes}</Text>}
      <Text size="sm" c="dimmed" className={css.facts}>
        {[describeCallAttempts(lead, notes.data, outcomes), zone && `${formatTimeInZone(now, zone)} local time`]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      <Text size="sm" className={css.why}>
        {describeDueReason(lead, now)}
      </Text>
      {numbers.length === 0 && <Text c="dimmed">No telephone number</Text>}
      {numbers.map((n, i) => (
        <Dial
          key={n}
          number={n}
          lead={lead}
          first={i === 0}
          locked={locked.get(n)}
          heldBy={lease.kind === 'held' ? lease.by : undefined}
          onDial={() => change(startCallTimer(draft))}
        />
      ))}
      {email && (
        <Anchor href={`mailto:${email}`} size="sm" className={css.email ?? ''}>
          <IconMail size={16} aria-hidden /> {email}
        </Anchor>
      )}
      <div className={css.others} style={{ '--others': Math.min(lead.others, 4) } as CSSProperties}>
        <Suspense>
          <People lead={lead} onDial={() => change(startCallTimer(draft))} />
        </Suspense>
      </div>
      <div className={css.clock}>
        {lease.kind === 'held' && <HeldByColleague by={lease.by} />}
        {(lease.kind !== 'held' || callTimerElapsedMs(draft) > 0) && <Clock draft={draft} change={change} />}
      </div>
    </div>
  )
}

/**
 * Message shown instead of the timer, because the user can't call a lead that a colleague has leased. The lease loads
 * after the lead, so the message must not shift the layout.
 */
const HeldByColleague = ({ by }: { readonly by: string }) => (
  <Group gap="xs" wrap="nowrap" align="flex-start" role="status">
    <IconUserShield size={20} aria-hidden className={css.held} />
    <Text size="sm">
      <strong>{by} is working this lead.</strong> You can view the lead and add notes.
    </Text>
  </Group>
)

interface DialProps {
  readonly number: string
  readonly lead: LeadRecord
  readonly first: boolean
  /** Reason why the number must be screened before it is called; `undefined` if it may be called. */
  readonly locked: string | undefined
  /** Name of the colleague who is working the lead at the moment. */
  readonly heldBy: string | undefined
  readonly onDial: () => void
}

function Dial({ number, lead, first, locked, heldBy, onDial }: DialProps) {
  const link = useRef<HTMLAnchorElement>(null)
  const to = formatDialUri(number, useDialSetting())
  useShortcuts(
    first && !lead.doNotCall && !heldBy && !locked
      ? [{ keys: 'd', label: 'Dial', run: () => link.current?.click() }]
      : [],
  )
  return (
    <div className={css.number} data-number data-first={first || undefined}>
      <span className={css.digits}>{number}</span>
      {lead.doNotCall ? (
        <Button color="red" variant="light" disabled leftSection={<IconLock size={16} aria-hidden />}>
          Do not call
        </Button>
      ) : locked ? (
        <Button color="red" variant="light" disabled leftSection={<IconLock size={16} aria-hidden />} title={locked}>
          Screen number first
        </Button>
      ) : heldBy ? (
        <Button
          variant="default"
          disabled
          leftSection={<IconLock size={16} aria-hidden />}
          title={`${heldBy} is working this lead`}
        >
          In use by {heldBy}
        </Button>
      ) : (
        to && (
          <Button
            component="a"
            ref={link}
            href={to}
            variant={first ? 'filled' : 'default'}
            leftSection={<IconPhone size={16} aria-hidden />}
            rightSection={first && <ShortcutKeys keys="d" />}
            onClick={onDial}
          >
            Call
            <VisuallyHidden>
              {' '}
              {formatLeadName(lead)} on {number}
            </VisuallyHidden>
          </Button>
        )
      )}
      {locked && !lead.doNotCall && (
        <Text size="sm" className={css.barred}>
          <IconPhoneOff size={15} aria-hidden /> {locked}. The number is blocked.
        </Text>
      )}
      {lead.doNotCall && first && (
        <Text size="sm" className={css.barred}>
          <IconPhoneOff size={15} aria-hidden /> {DO_NOT_CALL_REASON}. The number is blocked.
        </Text>
      )}
    </div>
  )
}

/** Maximum length of a call in minutes: one day. */
const MAX_MINUTES = 1440

const two = (n: number) => String(n).padStart(2, '0')

/** Timer with the duration of the call. Minutes typed by hand replace the measured time. */
function Clock({ draft, change }: Pick<Props, 'draft' | 'change'>) {
  const running = draft.startedAt !== null
  useRerenderEverySecond(running)
  const seconds = Math.floor(callTimerElapsedMs(draft) / 1000)
  const label = running ? 'Stop the timer' : 'Start the timer'
  return (
    <Group gap="sm">
      <ActionIcon
        title={label}
        size="lg"
        variant="default"
        aria-label={label}
        onClick={() => change(running ? stopCallTimer(draft) : startCallTimer(draft))}
      >
        {running ? <IconPlayerPause size={18} aria-hidden /> : <IconPlayerPlay size={18} aria-hidden />}
      </ActionIcon>
      <span role="timer" aria-label="Call duration" className={css.time} data-running={running || undefined}>
        {two(Math.floor(seconds / 60))}:{two(seconds % 60)}
      </span>
      <TextInput
        className={css.minutes}
        aria-label="Minutes to record"
        inputMode="numeric"
        placeholder="0"
        rightSection="min"
        rightSectionWidth={44}
        rightSectionPointerEvents="none"
        value={minutesToRecord(draft) ?? ''}
        onChange={(e) => {
          const typed = e.currentTarget.value.replaceAll(/\D/g, '')
          change({ minutes: typed === '' ? null : Math.min(MAX_MINUTES, Number(typed)) })
        }}
      />
    </Group>
  )
}
