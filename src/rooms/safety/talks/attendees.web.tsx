import { ActionIcon, Button, Text, Tooltip } from '@mantine/core'
import { IconSignature, IconTrash, IconUserOff } from '@tabler/icons-react'
import { useState } from 'react'
import { Moment } from '#web/dates/relative.tsx'
import { Drawn } from '#web/ui/drawn.tsx'
import page from '#web/ui/page.module.css'
import { say } from '#web/ui/say.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { AbsentDialog } from './absent.web.tsx'
import { AddPeople } from './add-people.web.tsx'
import { AttendeeSign } from './attendee-sign.web.tsx'
import { type Attendee, type Presented, useChange } from './presented-data.web.ts'
import css from './talks.module.css'

interface Props {
  readonly record: Presented
  readonly fixed: boolean
}

/** Who should hear the talk: each signs, one after the other, or is down as absent with a reason. */
export function Attendees({ record, fixed }: Props) {
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
      {waiting > 0 && !fixed && <Text size="sm">{`${waiting} still to sign, or to be marked as absent.`}</Text>}
      <ul className={css.people}>
        {people.map((p, i) => (
          <li key={p['@id'] ?? `${p.name}${i}`}>
            <div className={css.person}>
              <strong>{p.name}</strong>
              {p.method === 'on behalf' && (
                <span className={page.quiet}>{`Signed on behalf by ${p.byName ?? ''}`}</span>
              )}
              {p.signedAt && (
                <span className={page.quiet}>
                  <Moment at={p.signedAt} />
                </span>
              )}
              {p.absence && <span className={page.quiet}>{p.absence}</span>}
            </div>
            {p.signedAt ? (
              <Drawn strokes={p.strokes} name={p.byName || p.name} />
            ) : p.absence ? (
              <StatusChip icon={IconUserOff}>Absent</StatusChip>
            ) : (
              <StatusChip meaning="attention">To sign</StatusChip>
            )}
            {!fixed && !p.signedAt && (
              <div className={page.buttons}>
                <Button
                  size="sm"
                  leftSection={<IconSignature size={16} aria-hidden />}
                  aria-label={`Sign: ${p.name}`}
                  onClick={() => setSigning(i)}
                >
                  Sign
                </Button>
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
