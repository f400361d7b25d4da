import { toRowObjects } from '#kernel/forms/rows.ts'
import { uploadsInAnswer } from '#kernel/forms/uploads.ts'
import { toText } from '#kernel/text.ts'
import type { DocumentBodyProps } from '#modules/documents/types/kind.web.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { UploadsView } from '#web/uploads/view.tsx'
import css from '../shared-fields/body.module.css'
import { JobContactList, JobSection, toLabelledFacts, UploadedFiles } from '../shared-fields/body-parts.web.tsx'
import { ChosenStatements, ChosenTasks } from '../shared-fields/chosen-statements.web.tsx'
import { filledJobContacts } from '../shared-fields/contacts.ts'
import { FactGrid } from '../shared-fields/facts.web.tsx'
import { parseMethodStatement, statementsInMethodStatement } from '../statements/method-statement.ts'

type Row = Readonly<Record<string, unknown>>

const words = (v: unknown): string => toText(v).trim()

const EMERGENCY = [
  ['assemblyPoint', 'Assembly point'],
  ['hospital', 'Nearest A&E'],
  ['firstAider', 'First aider'],
] as const

export default function MethodStatementBody(props: DocumentBodyProps) {
  const { record } = props
  const method = parseMethodStatement(record.methodStatement)
  const statements = statementsInMethodStatement(method)
  const emergency = toLabelledFacts(props, EMERGENCY)
  const arrangements = toLabelledFacts(props, [['emergencyArrangements', 'Rescue, fire and spillage']])
  const lists = [
    ['People and tickets', toRowObjects(record.people).map(personWords)],
    ['Plant', toRowObjects(record.plant).map(({ name, checks }) => [words(name), words(checks)])],
    ['Permits to work', toRowObjects(record.permits).map(({ name, issuer }) => [words(name), words(issuer)])],
  ] as const
  return (
    <div className={css.body}>
      <JobSection
        {...props}
        title="The job"
        more={toLabelledFacts(props, [
          ['supervisor', 'Site supervisor'],
          ['riskDocumentNumber', 'Risk assessment'],
        ])}
      />
      {(emergency.length + arrangements.length > 0 || filledJobContacts(record.emergencyContact).length > 0) && (
        <section>
          <h2>In an emergency</h2>
          <JobContactList value={record.emergencyContact} />
          <FactGrid facts={emergency} />
          {arrangements.map(([label, text]) => (
            <div key={label}>
              <h3>{label}</h3>
              <p className={css.words}>{text}</p>
            </div>
          ))}
        </section>
      )}
      <section>
        <h2>Sequence of work</h2>
        <Steps rows={toRowObjects(record.sequence)} byTasks={method.taskSelection.length > 0} />
      </section>
      {method.taskSelection.length > 0 && (
        <section>
          <h2>Tasks</h2>
          <ChosenTasks all={method.taskSelection} />
        </section>
      )}
      {lists.map(
        ([title, rows]) =>
          rows.length > 0 && (
            <section key={title}>
              <h2>{title}</h2>
              <Named rows={rows} />
            </section>
          ),
      )}
      {statements.length > 0 && (
        <section>
          <h2>Standard statements</h2>
          <ChosenStatements all={statements} />
        </section>
      )}
      <UploadedFiles value={record.uploadedDocuments} />
    </div>
  )
}

function personWords({ name, role, tickets, expires }: Row): string[] {
  const shown = [
    Array.isArray(tickets) ? tickets.map(words).join(', ') : '',
    words(expires) && `until ${formatIsoAsUkDate(words(expires))}`,
  ]
  return [words(name), [words(role), shown.filter(Boolean).join(', ')].filter(Boolean).join(': ')]
}

function Steps({ rows, byTasks }: { readonly rows: readonly Row[]; readonly byTasks: boolean }) {
  if (!rows.length)
    return <p className={css.about}>{byTasks ? 'The tasks are listed below in the order of work.' : 'No steps yet.'}</p>
  return (
    <ol className={css.tasks}>
      {rows.map((step, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two steps may have the same text
        <li key={i}>
          <strong>{words(step.title)}</strong>
          {words(step.responsible) && <span className={css.about}>{words(step.responsible)}</span>}
          {words(step.text) && <p className={css.words}>{words(step.text)}</p>}
          {uploadsInAnswer(step.pictures).length > 0 && <UploadsView value={uploadsInAnswer(step.pictures)} />}
        </li>
      ))}
    </ol>
  )
}

const Named = ({ rows }: { readonly rows: readonly (readonly string[])[] }) => (
  <ul className={css.named}>
    {rows.map(([name, about], i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have the same text
      <li key={i}>
        <strong>{name}</strong>
        {about && <span className={css.about}>{about}</span>}
      </li>
    ))}
  </ul>
)
