import { Button, Text, TextInput } from '@mantine/core'
import { IconSignature } from '@tabler/icons-react'
import { useState } from 'react'
import { FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import { iriOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { useQueuedRequestsForUrl } from '#web/offline/outbox/outbox.ts'
import type { QueuedRequest } from '#web/offline/requests.ts'
import { LazyQueuedRequestList } from '#web/offline/screens/queued-requests.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { errorSentence, showUndoToast, toast } from '#web/ui/toast.ts'
import { attendanceSummaryText, countAttendance } from '../attendance/attendance-text.ts'
import { AddAttendeesForm } from './add-people.web.tsx'
import { type AttendanceStage, type AttendeeAction, AttendeeRow } from './attendee-row.web.tsx'
import { AttendeeSignatureDialog } from './attendee-sign.web.tsx'
import { LateSigningSection } from './late-signing.web.tsx'
import {
  type ListedAttendee,
  type PresentedTalkRecord,
  signingMethodFor,
  type TalkSigner,
  useAttendeeActions,
  useAttendees,
} from './presented-data.web.ts'
import css from './talks.module.css'
import { presentedTalk } from './toolbox-talk.ts'

interface Props {
  readonly record: PresentedTalkRecord
  readonly open: AttendanceStage
}

/** Attendees of a talk, with actions to sign and to mark someone as absent with a reason. */
export function AttendeeSection({ record, open }: Props) {
  const list = useAttendees(record.id)
  const people = list.data?.['hydra:member']
  const kept = useQueuedRequestsForUrl(iriOf(presentedTalk, record.id))
  return (
    <section className={page.card} aria-labelledby="people">
      <h2 id="people" aria-live="polite">
        {people ? attendanceSummaryText(countAttendance(people)) : 'Attendees'}
      </h2>
      {/*
       * Lists queued signatures that the server rejected or that belong to no listed attendee. Other queued signatures are
       * shown beside their attendees.
       */}
      <LazyQueuedRequestList
        requests={kept.filter((p) => p.refused || p.about.length === 1)}
        label="Signatures on this device"
      />
      {people ? (
        <People record={record} open={open} people={people} kept={kept} />
      ) : list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <LoadingRows rows={6} />
      )}
    </section>
  )
}

interface PeopleProps extends Props {
  readonly people: readonly ListedAttendee[]
  readonly kept: readonly QueuedRequest[]
}

function People({ record, open, people, kept }: PeopleProps) {
  const me = useActor()
  const door = useAttendeeActions(record.id)
  const [signer, setSigner] = useState<TalkSigner>()
  const [absent, setAbsent] = useState<ListedAttendee>()
  const keptOf = (p: ListedAttendee) => kept.find((one) => one.about.includes(p['@id']))
  const waits = (p: ListedAttendee) => !p.signedAt && !p.absence && !keptOf(p)
  const waiting = people.filter(waits).length
  const isNamed = people.some((p) => p.user === me.userId)
  const at = people.findIndex((p) => p['@id'] === signer?.['@id'])
  const device = { late: open === 'late', keeps: open === 'open' }
  const here = (p: ListedAttendee) =>
    waits(p) && ['own', 'visitor', 'device'].includes(signingMethodFor(me, p, device) ?? '')
  const next = [...people.slice(at + 1), ...people.slice(0, Math.max(at, 0))].find(here)
  const act = (what: AttendeeAction, person: ListedAttendee) => {
    if (what === 'sign') setSigner(person)
    else if (what === 'absent') setAbsent(person)
    else
      void door('strike', { attendee: person['@id'] }).then(
        () =>
          showUndoToast({
            message: `${person.name} removed from list`,
            undo: () => door('people', { names: [person.name], company: person.company, trade: person.trade }),
          }),
        (e: unknown) => toast.failed(e),
      )
  }
  // The form to add people is above the list until someone has signed, and below the list afterwards.
  const isBegun = people.some((p) => !waits(p))
  const adding = open === 'open' && (
    <AddAttendeesForm taken={people.map((p) => p.name)} onAdd={(names) => door('people', { names })} />
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
          <AttendeeRow key={p.id} person={p} kept={keptOf(p)} open={open} onDo={act} />
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
      {open === 'late' && <LateSigningSection people={people} onSign={setSigner} />}
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
        key={`absent${absent?.id}`}
        name={absent?.name}
        onClose={() => setAbsent(undefined)}
        onAbsent={(absence) => door('absent', { attendee: absent?.['@id'], absence })}
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
