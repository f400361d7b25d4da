import { uploadsInAnswer } from '#kernel/forms/uploads.ts'
import { toText } from '#kernel/text.ts'
import type { DocumentBodyProps } from '#modules/documents/types/kind.web.ts'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import { rowKeyOf } from '#web/forms/store/row-key.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { UploadsView } from '#web/uploads/view.tsx'
import { FactGrid } from '../shared-fields/facts.web.tsx'
import { SubstanceCard } from '../substances/card.web.tsx'
import { ControlApproachPicker } from './approach.web.tsx'
import css from './body.module.css'
import { substanceUseText, toCoshhPdfInput } from './pdf-body.ts'
import { StorageConflicts } from './storage-conflicts.web.tsx'
import { nextLevExaminationDate, proposalsInRecord, substanceUsesInRecord } from './substances-used.ts'

const TASK = [
  ['location', 'Where'],
  ['frequency', 'How often'],
  ['duration', 'How long each time'],
  ['groups', 'Who is exposed', 'groupsAffected'],
  ['personsAffected', 'How many people'],
  ['expectant', 'New or expectant mothers'],
  ['young', 'Young workers under 18'],
] as const
const HEALTH = [
  ['monitoring', 'Exposure monitoring'],
  ['monitoringReason', 'Reasons for or against monitoring'],
  ['surveillance', 'Health surveillance'],
  ['storage', 'Storage'],
  ['disposal', 'Disposal'],
  ['firstAid', 'First aid'],
  ['fire', 'Fire'],
  ['spillage', 'Spillage'],
  ['emergency', 'Other emergencies'],
] as const

export default function CoshhAssessmentBody({ record, labels = {} }: DocumentBodyProps) {
  const { said, controls, equipment, contacts, conclusion, actions } = toCoshhPdfInput(record)
  const substances = substanceUsesInRecord(record)
  const proposals = proposalsInRecord(record)
  const due = nextLevExaminationDate(record)
  const files = uploadsInAnswer(record.uploadedDocuments)
  const facts = (all: readonly (readonly [string, string, string?])[]) =>
    all.flatMap(([name, label, field]) => (said[name] ? [[labels[field ?? name] ?? label, said[name]] as const] : []))
  return (
    <div className={css.body}>
      <section>
        <h2>The task</h2>
        {said.process && <p className={css.said}>{said.process}</p>}
        <FactGrid facts={facts(TASK)} />
      </section>
      <section>
        <h2>Substances</h2>
        {substances.length === 0 && <p className={css.quiet}>No substances yet.</p>}
        {substances.map((used, i) => (
          <div key={rowKeyOf(used, i)} className={css.substance}>
            <h3>{toText(used.name) || `Substance ${i + 1}`}</h3>
            <p className={css.quiet}>{substanceUseText(used)}</p>
            <SubstanceCard of={used} />
            <ControlApproachPicker
              row={used}
              name={toText(used.name)}
              id={`read-${i}`}
              readOnly
              proposal={proposals[i]}
              onChange={() => undefined}
            />
          </div>
        ))}
        <StorageConflicts substances={substances} />
      </section>
      <section>
        <h2>Controls</h2>
        {controls.length ? (
          <FactGrid facts={controls.map(({ tier, text }) => [tier, text] as const)} />
        ) : (
          <p className={css.quiet}>No controls yet.</p>
        )}
        {due && (
          <p className={css.said}>
            {`Extraction last examined on ${formatIsoAsUkDate(toText(record.levExamined).slice(0, 10))}, next examination due by ${formatIsoAsUkDate(due)} (14 months).\u0020`}
            {due < londonToday() && <StatusChip meaning="stop">Overdue</StatusChip>}
          </p>
        )}
      </section>
      {(equipment.length > 0 || said.equipmentNotes) && (
        <section>
          <h2>PPE required</h2>
          <ul className={css.list}>
            {equipment.map(({ label, standard, detail }) => (
              <li key={label}>
                {label}
                {standard && <span className={css.quiet}> ({standard})</span>}
                {detail && `: ${detail}`}
              </li>
            ))}
          </ul>
          {said.equipmentNotes && <p className={css.said}>{said.equipmentNotes}</p>}
        </section>
      )}
      <section>
        <h2>Health and emergencies</h2>
        <FactGrid facts={facts(HEALTH)} />
        <FactGrid facts={contacts.map(({ name, phone }) => [name, phone] as const)} />
      </section>
      <section>
        <h2>Conclusion and actions</h2>
        {conclusion ? (
          <>
            <p className={css.said}>
              {`${labels.adequate ?? 'Is exposure adequately controlled?'}\u0020`}
              <strong>{conclusion.text}</strong>
            </p>
            {conclusion.reason && <p className={css.said}>{conclusion.reason}</p>}
          </>
        ) : (
          <p className={css.quiet}>No conclusion recorded.</p>
        )}
        <FactGrid
          facts={actions.map(({ text, owner, due }) => [
            [owner, due && `due ${formatIsoAsUkDate(due)}`].filter(Boolean).join(', '),
            text,
          ])}
        />
      </section>
      {files.length > 0 && (
        <section>
          <h2>Pictures and files</h2>
          <UploadsView value={files} />
        </section>
      )}
    </div>
  )
}
