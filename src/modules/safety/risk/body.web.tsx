import { useMemo } from 'react'
import { toText } from '#kernel/text.ts'
import type { DocumentBodyProps } from '#modules/documents/types/kind.web.ts'
import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'
import { groupHazardLines } from '../grid/grid.ts'
import { HazardTable } from '../grid/hazard-table.web.tsx'
import type { HazardLine } from '../grid/line.ts'
import { riskMatrixFromRecord } from '../risk-matrix/bands.ts'
import css from '../shared-fields/body.module.css'
import { JobContactList, JobSection, UploadedFiles } from '../shared-fields/body-parts.web.tsx'
import { ChosenStatements, ChosenTasks } from '../shared-fields/chosen-statements.web.tsx'
import { filledJobContacts } from '../shared-fields/contacts.ts'
import { FactGrid } from '../shared-fields/facts.web.tsx'
import { parseMethodStatement, statementsInMethodStatement } from '../statements/method-statement.ts'
import type { PpeItem } from './snapshots.ts'

const words = (v: unknown): string => toText(v).trim()
const list = <T,>(v: unknown): readonly T[] => (Array.isArray(v) ? (v as T[]) : [])

export default function RiskAssessmentBody({ record, labels = {} }: DocumentBodyProps) {
  const grid = useMemo(() => groupHazardLines(list<HazardLine>(record.controls)), [record.controls])
  const method = parseMethodStatement(record.methodStatement)
  const statements = statementsInMethodStatement(method)
  const ppe = list<PpeItem>(record.ppeItems)
  const people = [
    [labels.groupsAffected ?? 'Who might be harmed', list<string>(record.groupsAffected).join(', ')],
    [labels.personsAffected ?? 'Number of people', words(record.personsAffected)],
    [labels.firstAider ?? 'First aider', words(record.firstAider)],
  ].filter(([, text]) => text) as [string, string][]
  return (
    <div className={css.body}>
      <JobSection title="The work" record={record} labels={labels} />
      {(people.length > 0 || words(record.note)) && (
        <section>
          <h2>People at risk</h2>
          <FactGrid facts={people} />
          {words(record.note) && <h3>{labels.note ?? 'Notes on people at risk'}</h3>}
          <RichTextView html={words(record.note)} />
        </section>
      )}
      <section>
        <h2>Hazards and controls</h2>
        {grid.length ? (
          <HazardTable grid={grid} matrix={riskMatrixFromRecord(record)} />
        ) : (
          <p className={css.about}>No hazards yet.</p>
        )}
      </section>
      {ppe.length > 0 && (
        <section>
          <h2>PPE required</h2>
          <ul className={css.signs}>
            {ppe.map((p) => (
              <li key={p.id}>
                <Sign item={p} />
                {p.label}
              </li>
            ))}
          </ul>
        </section>
      )}
      {(statements.length > 0 || method.taskSelection.length > 0) && (
        <section>
          <h2>Method statement</h2>
          <ChosenStatements all={statements} />
          {method.taskSelection.length > 0 && <h3>Sequence of work</h3>}
          <ChosenTasks all={method.taskSelection} />
        </section>
      )}
      {filledJobContacts(record.emergencyContact).length > 0 && (
        <section>
          <h2>In an emergency</h2>
          <JobContactList value={record.emergencyContact} />
        </section>
      )}
      <UploadedFiles value={record.uploadedDocuments} />
    </div>
  )
}

/**
 * Picture of the equipment or, if there is none, the initials of its name. The image has no alternative text, because
 * the name is shown below.
 */
const Sign = ({ item }: { readonly item: PpeItem }) =>
  item.image ? (
    <img src={`/api/safety/ppe_signs/${encodeURIComponent(item.image)}.svg`} alt="" width={64} height={64} />
  ) : (
    <span className={css.initials} aria-hidden>
      {item.label
        .split(/\s+/)
        .map((w) => w[0])
        .join('')
        .slice(0, 2)
        .toUpperCase()}
    </span>
  )
