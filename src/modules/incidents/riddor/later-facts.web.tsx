import { Button, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { DateField } from '#web/dates/date-field.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { incidentReport } from '../reports/incident-report.ts'
import css from './riddor.module.css'
import { type Person, type Report, useRefresh, useSaveFacts } from './screening-data.web.ts'

/** Facts that may become known later: a disease, gas and the death of an injured person. Each reopens the decision. */
export function LaterFacts({ report }: { readonly report: Report }) {
  const refresh = useRefresh()
  const injured = report.personnel.filter(({ recordType, retired }) => recordType !== 'WT' && !retired)
  return (
    <details className={css.folded}>
      <summary>Enter a disease, a gas incident or a death</summary>
      <Stack gap="md" mt="sm">
        <Text size="sm" c="dimmed">
          If these facts change the duty to report, the decision is reopened. The earlier decision stays in the history.
        </Text>
        <ResourceForm
          key={report.updatedAt}
          resource={incidentReport}
          record={report}
          fields={['disease', 'diagnosedOn', 'gasLearnedOn']}
          action="Save the facts"
          decided
          focused={false}
          onSaved={refresh}
        />
        {injured.map((person) => (
          <DeathInput key={person.id} report={report} person={person} />
        ))}
      </Stack>
    </details>
  )
}

function DeathInput({ report, person }: { readonly report: Report; readonly person: Person }) {
  const { mutate, isPending } = useSaveFacts(report)
  const [day, setDay] = useState<string | null>(person.diedOn ?? null)
  const name = person.name || 'Injured person'
  const save = (diedOn: string | null) =>
    mutate({ person: { id: person.id, values: { diedOn, harm: diedOn ? 'dead' : 'injured' } } })
  return (
    <section aria-label={`Death of ${name}`}>
      <Title order={4}>{name}</Title>
      <Stack gap="xs" align="start">
        <DateField label="Date of death" value={day} onChange={setDay} max={londonToday()} />
        <Button
          variant="default"
          disabled={isPending || day === (person.diedOn ?? null)}
          onClick={() => save(day)}
          aria-label={`Save the date of death of ${name}`}
        >
          Save the date of death
        </Button>
      </Stack>
    </section>
  )
}
