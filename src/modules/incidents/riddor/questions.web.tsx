import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import { Anchor, Button, Checkbox, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { DateField } from '#web/dates/date-field.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import page from '#web/ui/page.module.css'
import { incidentReport } from '../reports/incident-report.ts'
import { INCIDENT_PATHS } from '../reports/paths.ts'
import { SPECIFIED_INJURIES } from './facts.ts'
import { INCIDENT_QUESTIONS, PERSON_QUESTIONS } from './questions.ts'
import css from './riddor.module.css'
import type { OpenQuestion } from './screening.ts'
import { type FactChanges, injuredPersonName, type Report, useSaveFacts } from './screening-data.web.ts'

interface QuestionsProps {
  readonly report: Report
  readonly questions: readonly OpenQuestion[]
}

/** The first open question, to be answered now. The next one follows from the answer. */
export function ScreeningQuestions({ report, questions }: QuestionsProps) {
  const [question] = questions
  if (!question) return <Text>All questions are answered.</Text>
  const more = questions.length - 1
  return (
    <Stack gap="xs">
      <QuestionCard key={`${question.name} ${question.person}`} report={report} question={question} />
      {more > 0 && (
        <Text size="sm" c="dimmed">
          {more === 1 ? '1 more question is open.' : `${more} more questions are open.`} Each answer can close some of
          them.
        </Text>
      )}
    </Stack>
  )
}

interface QuestionProps {
  readonly report: Report
  readonly question: OpenQuestion
}

function QuestionCard({ report, question }: QuestionProps) {
  const { mutate, isPending } = useSaveFacts(report)
  const { text, help, regulation, person } = question
  return (
    <fieldset className={css.question} disabled={isPending} aria-busy={isPending}>
      <legend>{person === undefined ? 'About the incident' : `About ${injuredPersonName(report, person)}`}</legend>
      <p className={css.words}>
        {text} {regulation && <Regulation of={regulation} />}
      </p>
      {help && (
        <Text size="sm" c="dimmed">
          {help}
        </Text>
      )}
      <AnswerInput report={report} question={question} save={mutate} />
    </fieldset>
  )
}

export const Regulation = ({ of }: { readonly of: string }) => (
  <Text span size="sm" c="dimmed">
    (RIDDOR 2013, regulation {of})
  </Text>
)

interface AnswerProps extends QuestionProps {
  readonly save: (changes: FactChanges) => void
}

const Choices = ({ children }: { readonly children: ReactNode }) => <div className={page.buttons}>{children}</div>

function AnswerInput({ report, question, save }: AnswerProps) {
  const { name, person: id } = question
  const setPerson = (values: NonNullable<FactChanges['person']>['values']) =>
    id !== undefined && save({ person: { id, values } })
  if (name === 'nation')
    return (
      <Choices>
        {incidentReport.fields.nation.options?.map(({ value, label }) => (
          <Button key={value} variant="default" onClick={() => save({ report: { nation: value as Report['nation'] } })}>
            {label}
          </Button>
        ))}
      </Choices>
    )
  if (name === 'harm')
    return (
      <Choices>
        <Button variant="default" onClick={() => setPerson({ harm: 'none' })}>
          Not hurt
        </Button>
        <Button variant="default" onClick={() => setPerson({ harm: 'injured' })}>
          Injured
        </Button>
        <Button variant="default" onClick={() => setPerson({ harm: 'dead' })}>
          Died
        </Button>
      </Choices>
    )
  if (name === 'specified') return <SpecifiedInput onSave={(specified) => setPerson({ specified })} />
  if (name === 'diagnosedOn') return <DiagnosisInput onSave={(diagnosedOn) => save({ report: { diagnosedOn } })} />
  if (name === 'status')
    return (
      <Anchor component={Link} to={`${INCIDENT_PATHS.update}/${report.id}`} className={page.alone}>
        Enter the job class with the details of this person
      </Anchor>
    )
  const answer = (value: 'yes' | 'no') => {
    const person = report.personnel.find((one) => one.id === id)
    if (id === undefined) save({ report: { answers: { ...report.answers, [name]: value } } })
    else setPerson({ answers: { ...person?.answers, [name]: value } })
  }
  return (
    <Choices>
      <Button variant="default" miw={88} onClick={() => answer('yes')}>
        Yes
      </Button>
      <Button variant="default" miw={88} onClick={() => answer('no')}>
        No
      </Button>
    </Choices>
  )
}

function SpecifiedInput({ onSave }: { readonly onSave: (letters: readonly string[]) => void }) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  return (
    <Stack gap="sm">
      <Checkbox.Group value={[...chosen]} onChange={setChosen} aria-label="Specified injuries">
        <Stack gap="xs">
          {Object.entries(SPECIFIED_INJURIES).map(([letter, text]) => (
            <Checkbox key={letter} value={letter} label={`(${letter}) ${text}`} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Choices>
        <Button disabled={!chosen.length} onClick={() => onSave(chosen)}>
          Save these injuries
        </Button>
        <Button variant="default" disabled={chosen.length > 0} onClick={() => onSave([])}>
          None of these
        </Button>
      </Choices>
    </Stack>
  )
}

function DiagnosisInput({ onSave }: { readonly onSave: (day: string) => void }) {
  const [day, setDay] = useState<string | null>(null)
  return (
    <Stack gap="sm" align="start">
      <DateField label="Diagnosis received on" value={day} onChange={setDay} max={londonToday()} />
      <Button disabled={!day} onClick={() => day && onSave(day)}>
        Save the day
      </Button>
    </Stack>
  )
}

interface GivenAnswer {
  readonly key: string
  readonly about: string
  readonly text: string
  readonly answer: string
  readonly withdraw: FactChanges
}

const without = <T extends object>(answers: T, name: string): T =>
  Object.fromEntries(Object.entries(answers).filter(([one]) => one !== name)) as T

/** Returns the answers of an incident and its people, each with the change that withdraws it. */
function givenAnswers(report: Report): GivenAnswer[] {
  const own = Object.entries(report.answers ?? {}).map(([name, answer]) => ({
    key: name,
    about: '',
    text: INCIDENT_QUESTIONS[name as keyof typeof INCIDENT_QUESTIONS]?.text ?? name,
    answer,
    withdraw: { report: { answers: without(report.answers ?? {}, name) } },
  }))
  const ofPeople = report.personnel
    .filter(({ retired }) => !retired)
    .flatMap(({ id, answers, specified }) => [
      ...Object.entries(answers ?? {}).map(([name, answer]) => ({
        key: `${id} ${name}`,
        about: injuredPersonName(report, id),
        text: PERSON_QUESTIONS[name as keyof typeof PERSON_QUESTIONS]?.text ?? name,
        answer,
        withdraw: { person: { id, values: { answers: without(answers ?? {}, name) } } },
      })),
      ...(specified
        ? [
            {
              key: `${id} specified`,
              about: injuredPersonName(report, id),
              text: 'Specified injuries',
              answer: specified.length ? specified.map((letter) => `(${letter})`).join(' ') : 'none',
              withdraw: { person: { id, values: { specified: null } } },
            },
          ]
        : []),
    ])
  return [...own, ...ofPeople]
}

/** Answers given so far. A withdrawn answer becomes a question again. */
export function GivenAnswers({ report, readOnly }: { readonly report: Report; readonly readOnly: boolean }) {
  const { mutate, isPending } = useSaveFacts(report)
  const given = givenAnswers(report)
  if (!given.length) return null
  return (
    <details className={css.folded}>
      <summary>Answers so far: {given.length}</summary>
      <ul className={css.list}>
        {given.map(({ key, about, text, answer, withdraw }) => (
          <li key={key} className={css.row}>
            <span>
              {about && `${about}: `}
              {text} <strong>{answer}</strong>
            </span>
            {!readOnly && (
              <Button
                size="compact-sm"
                variant="default"
                disabled={isPending}
                aria-label={`Ask again: ${text}`}
                onClick={() => mutate(withdraw)}
              >
                Ask again
              </Button>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
