import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { IN_PERSON } from '#kernel/can.ts'
import { useActor } from '#web/api/me.ts'
import page from '#web/ui/page.module.css'
import { say } from '#web/ui/say.ts'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { useUnsaved } from '#web/ui/unsaved.tsx'
import { AbsentDialog } from './absent.web.tsx'
import { AddPeople } from './add-people.web.tsx'
import { AttendeeRow, type Doing } from './attendee-row.web.tsx'
import { AttendeeSign } from './attendee-sign.web.tsx'
import { LateSigning } from './late-signing.web.tsx'
import type { Outgoing } from './outbox.ts'
import { type Outbox, useOutbox } from './outbox.web.ts'
import {
  type Attendee,
  type Presented,
  type Signer,
  signingOf,
  usePeople,
  usePeopleDoor,
} from './presented-data.web.ts'
import css from './talks.module.css'

interface Props {
  readonly record: Presented
  /** What can still be done: everything, to sign late, nothing. */
  readonly open: 'open' | 'late' | 'fixed'
}

/** Who should hear the talk: each signs, one after the other, or is down as absent with a reason. */
export function Attendees({ record, open }: Props) {
  const list = usePeople(record.id)
  const people = list.data?.['hydra:member']
  const outbox = useOutbox(record.id)
  const guard = useUnsaved(outbox.waiting.length > 0, UNSENT)
  const signed = people?.filter((p) => p.signedAt).length ?? record.signed
  return (
    <section className={page.card} aria-labelledby="people">
      <h2 id="people" aria-live="polite">{`${signed} of ${people?.length ?? signed} signed`}</h2>
      <Unsent outbox={outbox} />
      {guard}
      {people ? (
        <People record={record} open={open} people={people} outbox={outbox} />
      ) : list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <LoadingRows rows={6} />
      )}
    </section>
  )
}

const UNSENT = {
  title: 'Signatures are not sent yet',
  question:
    'They are kept in this tab, and sent when this record is open and the connection is back. Leave all the same?',
  action: 'Leave',
  meaning: 'attention',
} as const

/** What is kept on this device and has not reached the portal; and what it does not take. */
function Unsent({ outbox }: { readonly outbox: Outbox }) {
  const waiting = outbox.waiting.filter((one) => !one.refused)
  return (
    <>
      {waiting.length > 0 && (
        <Text role="status" size="sm">
          {`${namesOf(waiting)}: signed on this device and not sent yet. It is sent by itself when the connection is back.`}
        </Text>
      )}
      {outbox.waiting.map(
        (one) =>
          one.refused && (
            <div key={one.key} role="alert" className={page.buttons}>
              <Text size="sm" c="var(--mantine-color-error)">{`${one.name}: ${one.refused}`}</Text>
              <Button variant="default" className={css.target ?? ''} onClick={() => outbox.discard(one.key)}>
                {`Discard this signature of ${one.name}`}
              </Button>
            </div>
          ),
      )}
    </>
  )
}

const namesOf = (all: readonly Outgoing[]) => all.map((one) => one.name).join(', ')

interface PeopleProps extends Props {
  readonly people: readonly Attendee[]
  readonly outbox: Outbox
}

function People({ record, open, people, outbox }: PeopleProps) {
  const me = useActor()
  const door = usePeopleDoor(record.id)
  const [signer, setSigner] = useState<Signer>()
  const [absent, setAbsent] = useState<Attendee>()
  const outgoingOf = (p: Attendee) => outbox.waiting.find((one) => one.attendee === p['@id'])
  const waits = (p: Attendee) => !p.signedAt && !p.absence && !outgoingOf(p)
  const waiting = people.filter(waits).length
  const at = people.findIndex((p) => p['@id'] === signer?.['@id'])
  // The device goes to those who sign on it with their own hand; whoever has an account signs on theirs.
  const here = (p: Attendee) => waits(p) && ['own', 'visitor'].includes(signingOf(me, p) ?? '')
  const next = [...people.slice(at + 1), ...people.slice(0, Math.max(at, 0))].find(here)
  const act = (what: Doing, person: Attendee) => {
    if (what === 'sign') setSigner(person)
    else if (what === 'absent') setAbsent(person)
    else void door('strike', { attendee: person['@id'] }).catch((e: unknown) => say.failed(e))
  }
  return (
    <>
      {me.original && open !== 'fixed' && <Text size="sm">{IN_PERSON}</Text>}
      {waiting > 0 && open === 'open' && (
        <Text size="sm">{`${waiting} still to sign, or to be marked as absent.`}</Text>
      )}
      <ul className={css.people}>
        {people.map((p) => (
          <AttendeeRow key={p.id} person={p} outgoing={outgoingOf(p)} open={open} onDo={act} />
        ))}
      </ul>
      {open === 'open' && <AddPeople taken={people.map((p) => p.name)} onAdd={(names) => door('people', { names })} />}
      {open === 'late' && <LateSigning people={people} onSign={setSigner} />}
      <AttendeeSign
        title={record.title ?? ''}
        person={signer}
        late={open === 'late'}
        next={open === 'open' && signer?.['@id'] ? next : undefined}
        outbox={outbox}
        onNext={setSigner}
        onClose={() => setSigner(undefined)}
      />
      <AbsentDialog
        key={`absent${absent?.id}`}
        person={absent}
        onClose={() => setAbsent(undefined)}
        onAbsent={(absence) => door('absent', { attendee: absent?.['@id'], absence })}
      />
    </>
  )
}
