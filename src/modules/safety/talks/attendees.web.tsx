import { Button, Text, TextInput } from '@mantine/core'
import { IconQrcode, IconSignature } from '@tabler/icons-react'
import { useState } from 'react'
import { FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import { isPersonName } from '#kernel/signature.ts'
import { MAX_LINK_SIGNATURES, signaturesByLink } from '#modules/documents/signing-links/signing-link.ts'
import { ApiError } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useStoredInput } from '#web/forms/stored-input.tsx'
import { loadOfflineQueue } from '#web/offline/outbox/outbox.ts'
import { isAwaitingDelivery, type QueuedRequest } from '#web/offline/requests.ts'
import { LazyQueuedRequestList } from '#web/offline/screens/queued-requests.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { errorSentence, showUndoToast, toast } from '#web/ui/toast.ts'
import { attendanceSummaryText, countAttendance } from '../attendance/attendance-text.ts'
import { AddAttendeesForm } from './add-people.web.tsx'
import { type AttendanceStage, type AttendeeAction, AttendeeRow } from './attendee-row.web.tsx'
import { AttendeeSignatureDialog } from './attendee-sign.web.tsx'
import {
  hasSignedOnDevice,
  isOutstandingOnDevice,
  requestsWithoutRow,
  type TalkRow,
  useTalkRows,
} from './offline-talk.web.ts'
import {
  type ListedAttendee,
  type PresentedTalkRecord,
  REFETCH_MS,
  requestKeysOf,
  signingMethodFor,
  type TalkSigner,
  useAttendeeActions,
  useSigningPins,
} from './presented-data.web.ts'
import css from './talks.module.css'

const PosterLinkDialog = lazyComponent(() => import('#modules/documents/signoff/link-dialog.web.tsx'))

interface Props {
  readonly record: PresentedTalkRecord
  readonly open: AttendanceStage
}

/** Attendees of a talk, with actions to sign and to mark someone as absent with a reason. */
export function AttendeeSection({ record, open }: Props) {
  const { rows, requests, error, refetch } = useTalkRows(record)
  const signedHere = rows?.filter(hasSignedOnDevice).length ?? 0
  return (
    <section className={page.card} aria-labelledby="people">
      <h2 id="people" aria-live="polite">
        {rows ? attendanceSummaryText(countAttendance(rows.map(withoutQueuedAbsence))) : 'Attendees'}
      </h2>
      {signedHere > 0 && (
        <Text size="sm" role="status">{`Signed on this device and waiting to be sent: ${signedHere}.`}</Text>
      )}
      <LazyQueuedRequestList requests={requestsWithoutRow(requests)} label="Changes on this device" />
      {rows ? (
        <People record={record} open={open} people={rows} requests={requests.all} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={6} />
      )}
    </section>
  )
}

/** The heading counts what the server has. */
const withoutQueuedAbsence = (row: TalkRow): TalkRow => (row.kept ? { ...row, absence: null } : row)

interface PeopleProps extends Props {
  readonly people: readonly TalkRow[]
  /** Requests about the record that are stored on this device. */
  readonly requests: readonly QueuedRequest[]
}

function People({ record, open, people, requests }: PeopleProps) {
  const me = useActor()
  const door = useAttendeeActions(record)
  const [signer, setSigner] = useState<TalkSigner>()
  const [absent, setAbsent] = useState<TalkRow>()
  const [linking, setLinking] = useState(false)
  // Loaded before a person signs, so that the PIN can be entered without a connection.
  useSigningPins()
  const waits = isOutstandingOnDevice
  const waiting = people.filter(waits).length
  const isNamed = people.some((p) => p.user === me.userId)
  const at = people.findIndex((p) => p['@id'] === signer?.['@id'])
  const device = { late: open === 'late', keeps: open === 'open' }
  const here = (p: TalkRow) => waits(p) && ['own', 'visitor', 'device'].includes(signingMethodFor(me, p, device) ?? '')
  const next = [...people.slice(at + 1), ...people.slice(0, Math.max(at, 0))].find(here)
  const add = async (names: readonly string[], employee = 0) => {
    const wrong = names.find((name) => !isPersonName(name))
    if (wrong !== undefined) throw new ApiError(422, 'Please enter the person’s name')
    // Queued names are separate requests, so that each can be removed and none is refused because of another.
    const alone = !navigator.onLine || requests.some(isAwaitingDelivery)
    for (const some of alone ? names.map((name) => [name]) : [names])
      await door('people', some.length > 1 ? `${some.length} people added` : `${some.join('')} added`, {
        names: some,
        listed: true,
        ...(employee ? { employees: [employee] } : {}),
      })
  }
  const strike = async (person: TalkRow) => {
    const { adding, name } = person
    if (adding) await (await loadOfflineQueue())?.remove(adding.key)
    else await door('strike', `${name} removed`, { attendee: person['@id'] })
    showUndoToast({
      message: `${name} removed from list`,
      undo: () => door('people', `${name} added`, { names: [name], company: person.company, trade: person.trade }),
    })
  }
  const act = (what: AttendeeAction, person: TalkRow) => {
    if (what === 'sign') setSigner(person)
    else if (what === 'absent') setAbsent(person)
    else void strike(person).catch((e: unknown) => toast.failed(e))
  }
  // The form to add people is above the list until someone has signed, and below the list afterwards.
  const isBegun = people.some((p) => !waits(p))
  const adding = open === 'open' && (
    <AddAttendeesForm key={record['@id']} record={record['@id']} taken={people.map((p) => p.name)} onAdd={add} />
  )
  return (
    <>
      {me.original && open !== 'fixed' && <Text size="sm">{FORBIDDEN_DURING_IMPERSONATION_MESSAGE}</Text>}
      {!isBegun && adding}
      {waiting > 0 && open === 'open' && <Text size="sm">{`Still to sign or be marked as absent: ${waiting}.`}</Text>}
      {open === 'open' && people.some((p) => waits(p) && signingMethodFor(me, p, device) === 'device') && (
        <Text size="sm">
          Pass this device from person to person: everyone signs by hand. People with an account can also sign on their
          own phone.
        </Text>
      )}
      {open === 'heard' && (
        <Text size="sm">{`${record.presenter} manages the list. You can only sign for yourself.`}</Text>
      )}
      <ul className={css.people}>
        {people.map((p) => (
          <AttendeeRow key={p['@id']} person={p} open={open} onDo={act} />
        ))}
      </ul>
      {isBegun && adding}
      {open === 'heard' && !isNamed && !me.original && (
        <Button
          className={css.target ?? ''}
          leftSection={<IconSignature size={16} aria-hidden />}
          onClick={() => setSigner({ name: me.name, user: me.userId, visitor: false })}
        >
          Sign as attendee
        </Button>
      )}
      {open === 'open' && !me.original && requestKeysOf(record['@id']).length === 0 && (
        <Button
          variant="default"
          className={css.target ?? ''}
          leftSection={<IconQrcode size={16} aria-hidden />}
          onClick={() => setLinking(true)}
        >
          Sign on another device
        </Button>
      )}
      {linking && (
        <PosterLinkDialog
          url={`${record['@id']}/link`}
          poster={`${record['@id']}/poster`}
          title="Sign on another device"
          about={`People without an account can read the talk on their own phone and sign there. The link works until the end of tomorrow, for up to ${MAX_LINK_SIGNATURES} signatures, and only while this record is open. Anyone with the link can read the talk and see who has not signed yet.`}
          invite="Scan this code with a phone, read the talk and sign there."
          used={signaturesByLink}
          refetchMs={REFETCH_MS}
          onClose={() => setLinking(false)}
        />
      )}
      {open === 'late' && <LateSigningSection record={record['@id']} people={people} onSign={setSigner} />}
      <AttendeeSignatureDialog
        record={record}
        person={signer}
        {...device}
        companies={[...new Set(people.flatMap((p) => p.company || []))]}
        next={(open === 'open' || open === 'heard') && signer?.['@id'] ? next : undefined}
        onNext={setSigner}
        onClose={() => setSigner(undefined)}
      />
      <MarkAbsentDialog
        key={`absent${absent?.['@id']}`}
        name={absent?.name}
        onClose={() => setAbsent(undefined)}
        onAbsent={(absence) =>
          door('absent', `${absent?.name} marked as absent`, { attendee: absent?.['@id'], absence })
        }
      />
    </>
  )
}

interface MarkAbsentDialogProps {
  /** Name of the person, or of several people; undefined while the dialog is closed. */
  readonly name: string | undefined
  readonly onClose: () => void
  readonly onAbsent: (why: string) => Promise<unknown>
}

/** Dialog to mark someone as absent and give the reason. The absent person can still sign late. */
export function MarkAbsentDialog({ name, onClose, onAbsent }: MarkAbsentDialogProps) {
  const [why, setWhy] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    if (!why.trim()) return setWrong('Please enter a reason, such as “on holiday”, “off sick” or “on another site”')
    setBusy(true)
    try {
      await onAbsent(why.trim())
      onClose()
    } catch (e) {
      setWrong(errorSentence(e))
      setBusy(false)
    }
  }
  return (
    <Dialog opened={name !== undefined} onClose={onClose} title={`Mark as absent: ${name ?? ''}`} size="32rem">
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          void submit()
        }}
      >
        <TextInput
          label="Reason (required)"
          maxLength={500}
          data-autofocus
          value={why}
          error={wrong}
          onChange={(e) => setWhy(e.currentTarget.value)}
        />
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Mark as absent
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface LateSigningSectionProps {
  /** IRI of the talk record. A name that is not used yet is stored under it. */
  readonly record: string
  readonly people: readonly ListedAttendee[]
  readonly onSign: (person: TalkSigner) => void
}

/** Form for people who attended but were not listed when the record was closed. They sign late, for themselves. */
function LateSigningSection({ record, people, onSign }: LateSigningSectionProps) {
  const me = useActor()
  const { input: name, change: setName } = useStoredInput(`visitor who signs late ${record}`, () => '')
  const [wrong, setWrong] = useState<string>()
  if (me.original) return null
  const mine = people.some((p) => p.user === me.userId && p.signer === me.userId && p.signedAt)
  const submit = () => {
    if (!name.trim()) return setWrong('Please enter the name of the person who attended')
    setWrong(undefined)
    setName('')
    onSign({ name: name.trim(), user: null, visitor: true })
  }
  return (
    <form
      className={css.late}
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        submit()
      }}
    >
      <h3>Other people who attended</h3>
      <Text size="sm">
        The record is closed. While the talk is in force, people who attended but have not signed can sign late for
        themselves. Late signatures are marked with the time.
      </Text>
      {!mine && (
        <Button
          className={css.target ?? ''}
          leftSection={<IconSignature size={16} aria-hidden />}
          onClick={() => onSign({ name: me.name, user: me.userId, visitor: false })}
        >
          I attended
        </Button>
      )}
      <div className={css.add}>
        <TextInput
          label="Name of the visitor"
          description="For a person without an account here. Colleagues sign late under their own account."
          maxLength={255}
          value={name}
          error={wrong}
          onChange={(e) => setName(e.currentTarget.value)}
        />
        <Button type="submit" variant="default" className={css.target ?? ''}>
          Sign late
        </Button>
      </div>
    </form>
  )
}
