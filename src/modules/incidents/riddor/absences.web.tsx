import { Button, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { DateField } from '#web/dates/date-field.tsx'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import page from '#web/ui/page.module.css'
import type { AbsencePeriod } from './facts.ts'
import { addSickness, findUnenteredSickness } from './recorded-sickness.ts'
import type { RiddorScreeningResponse } from './response.ts'
import css from './riddor.module.css'
import { type Person, type Report, useSaveFacts } from './screening-data.web.ts'

interface Props {
  readonly report: Report
  readonly counted: RiddorScreeningResponse['absences']
  readonly readOnly: boolean
}

/** Days on which each injured person could not do their routine work. */
export function Absences({ report, counted, readOnly }: Props) {
  const injured = report.personnel.filter(({ recordType, retired }) => recordType !== 'WT' && !retired)
  if (!injured.length) return null
  return (
    <Stack gap="sm">
      <Title order={3}>Absences</Title>
      <Text size="sm" c="dimmed">
        Enter each period in which the person could not do their routine work. Weekends and rest days count; the day of
        the accident does not. Leave the last day empty while the absence continues. The portal counts the days.
        Sickness of an employee counts once you confirm its days here.
      </Text>
      {injured.map((person) => (
        <PersonAbsences
          key={person.id}
          report={report}
          person={person}
          counted={counted.find((one) => one.person === person.id)}
          readOnly={readOnly}
        />
      ))}
    </Stack>
  )
}

interface PersonProps {
  readonly report: Report
  readonly person: Person
  readonly counted: Props['counted'][number] | undefined
  readonly readOnly: boolean
}

const EMPTY = { from: null, until: null } as { readonly from: string | null; readonly until: string | null }

function PersonAbsences({ report, person, counted, readOnly }: PersonProps) {
  const { mutate, isPending } = useSaveFacts(report)
  const [added, setAdded] = useState(EMPTY)
  const name = person.name || 'Injured person'
  const absences = person.absences ?? []
  const save = (next: readonly AbsencePeriod[]) => {
    mutate({ person: { id: person.id, values: { absences: next } } })
    setAdded(EMPTY)
  }
  const add = () => {
    const { from, until } = added
    if (from) save([...absences, { from, ...(until ? { until } : {}) }])
  }
  return (
    <section aria-label={`Absences of ${name}`}>
      <Text fw={600}>{name}</Text>
      <Text size="sm">{summaryOf(person, counted)}</Text>
      <ul className={css.list}>
        {absences.map((absence, place) => (
          <li key={`${absence.from} ${absence.until}`} className={css.row}>
            <span>{wordsOf(absence)}</span>
            {!readOnly && (
              <Button
                size="compact-sm"
                variant="default"
                disabled={isPending}
                aria-label={`Remove the absence of ${name}: ${wordsOf(absence)}`}
                onClick={() => save(absences.filter((_, other) => other !== place))}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {findUnenteredSickness(person.absences, counted?.sickness ?? []).map((sickness) => (
        <div key={`${sickness.from} ${sickness.until}`} className={css.row}>
          <span>{`Recorded as sickness: ${wordsOf(sickness)}`}</span>
          {!readOnly && (
            <Button
              variant="default"
              disabled={isPending}
              aria-label={`Confirm the days of sickness of ${name}: ${wordsOf(sickness)}`}
              onClick={() => save(addSickness(person.absences, sickness))}
            >
              Confirm these days
            </Button>
          )}
        </div>
      ))}
      {!readOnly && (
        <Stack gap="xs" mt="xs">
          <div className={page.facts}>
            <DateField
              label="First day"
              value={added.from}
              onChange={(from) => setAdded((now) => ({ ...now, from }))}
            />
            <DateField
              label="Last day"
              value={added.until}
              onChange={(until) => setAdded((now) => ({ ...now, until }))}
            />
          </div>
          <div className={page.buttons}>
            <Button variant="default" disabled={!added.from || isPending} onClick={add}>
              Add the absence
            </Button>
            {person.absences === null && (
              <Button variant="default" disabled={isPending} onClick={() => save([])}>
                No absence
              </Button>
            )}
          </div>
        </Stack>
      )}
    </section>
  )
}

const wordsOf = ({ from, until }: AbsencePeriod): string =>
  `${formatIsoAsUkDate(from)} to ${until ? formatIsoAsUkDate(until) : 'today, continuing'}`

function summaryOf({ absences }: Person, counted: PersonProps['counted']): string {
  if (!absences) return 'Not entered yet.'
  if (!absences.length || !counted) return 'No absence.'
  const reached = counted.overSevenOn
    ? `, over seven days since ${formatIsoAsUkDate(counted.overSevenOn)}`
    : counted.overThreeOn
      ? `, over three days since ${formatIsoAsUkDate(counted.overThreeOn)}, which is recorded but not reportable`
      : ''
  return `Consecutive days so far: ${counted.days}${reached}.`
}
