import { ActionIcon, Button, Text, Tooltip } from '@mantine/core'
import { IconSignature, IconTrash, IconUserOff } from '@tabler/icons-react'
import { useState } from 'react'
import { IN_PERSON } from '#kernel/can.ts'
import { handWords } from '#rooms/documents/signing/hand-words.ts'
import { useActor } from '#web/api/me.ts'
import { Moment } from '#web/dates/relative.tsx'
import { Drawn } from '#web/ui/drawn.tsx'
import page from '#web/ui/page.module.css'
import { say } from '#web/ui/say.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { AbsentDialog } from './absent.web.tsx'
import { AddPeople } from './add-people.web.tsx'
import { AttendeeSign } from './attendee-sign.web.tsx'
import { type Attendee, type Presented, signingOf, useChange } from './presented-data.web.ts'
import css from './talks.module.css'

interface Props {
  readonly record: Presented
  readonly fixed: boolean
}

/** Who should hear the talk: each signs, one after the other, or is down as absent with a reason. */
export function Attendees({ record, fixed }: Props) {
  const me = useActor()
  const change = useChange(record.id)
  const [signing, setSigning] = useState<number>()
  const [absent, setAbsent] = useState<number>()
  const people = record.attendees
  const save = (next: readonly Attendee[]) => change.mutateAsync({ attendees: next })
  const put = (i: number, more: Partial<Attendee>) => save(people.map((p, n) => (n === i ? { ...p, ...more } : p)))
  const signed = people.filter((p) => p.signedAt).length
  const waiting = people.filter((p) => !p.signedAt && !p.absence).length
  return (
    <section className={page.card} aria-labelledby="people">
      <h2 id="people">{`${signed} of ${people.length} signed`}</h2>
      {me.original && !fixed && <Text size="sm">{IN_PERSON}</Text>}
      {waiting > 0 && !fixed && <Text size="sm">{`${waiting} still to sign, or to be marked as absent.`}</Text>}
      <ul className={css.people}>
        {people.map((p, i) => (
          <li key={p['@id'] ?? `${p.name}${i}`}>
            <div className={css.person}>
              <strong>{p.name}</strong>
              {p.signedAt && (
                <span className={page.quiet}>
                  {handWords(p)}, <Moment at={p.signedAt} />
                </span>
              )}
              {!p.signedAt && p.visitor && <span className={page.quiet}>Visitor</span>}
              {!p.signedAt && !p.absence && !fixed && !signingOf(me, p) && !me.original && (
                <span className={page.quiet}>Has an account, and signs under it</span>
              )}
              {p.absence && <span className={page.quiet}>{p.absence}</span>}
            </div>
            {p.signedAt ? (
              <Signed person={p} />
            ) : p.absence ? (
              <StatusChip icon={IconUserOff}>Absent</StatusChip>
            ) : (
              <StatusChip meaning="attention">To sign</StatusChip>
            )}
            {!fixed && !p.signedAt && (
              <div className={page.buttons}>
                {signingOf(me, p) && (
                  <Button
                    size="sm"
                    variant={signingOf(me, p) === 'behalf' ? 'default' : 'filled'}
                    leftSection={<IconSignature size={16} aria-hidden />}
                    aria-label={`${signingOf(me, p) === 'behalf' ? 'Sign on behalf' : 'Sign'}: ${p.name}`}
                    onClick={() => setSigning(i)}
                  >
                    {signingOf(me, p) === 'behalf' ? 'On behalf' : 'Sign'}
                  </Button>
                )}
                <Tooltip label="Absent">
                  <ActionIcon
                    variant="default"
                    size={36}
                    aria-label={`${p.name} is absent`}
                    onClick={() => setAbsent(i)}
                  >
                    <IconUserOff size={18} aria-hidden />
                  </ActionIcon>
                </Tooltip>
                <Tooltip label="Take off the list">
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={36}
                    aria-label={`Take ${p.name} off the list`}
                    onClick={() => void save(people.filter((_, n) => n !== i)).catch((e: unknown) => say.failed(e))}
                  >
                    <IconTrash size={18} aria-hidden />
                  </ActionIcon>
                </Tooltip>
              </div>
            )}
          </li>
        ))}
      </ul>
      {!fixed && (
        <AddPeople
          taken={people.map((p) => p.name)}
          onAdd={(names) => save([...people, ...names.map((name) => ({ name }))])}
        />
      )}
      <AttendeeSign
        key={`sign${signing}`}
        title={record.title ?? ''}
        person={signing === undefined ? undefined : people[signing]}
        onClose={() => setSigning(undefined)}
        onSign={(given) => put(signing as number, { ...given, absence: null, signedAt: new Date().toISOString() })}
      />
      <AbsentDialog
        key={`absent${absent}`}
        person={absent === undefined ? undefined : people[absent]}
        onClose={() => setAbsent(undefined)}
        onAbsent={(absence) => put(absent as number, { absence })}
      />
    </section>
  )
}

/** How a signature looks, to those who may see it. */
function Signed({ person: p }: { readonly person: Attendee }) {
  if (p.method === 'finger' && !p.strokes) return <StatusChip meaning="safe">Signed by hand</StatusChip>
  return <Drawn strokes={p.strokes} name={(p.method === 'on behalf' && p.byName) || p.name} />
}
