import { useMemo } from 'react'
import { uploadsIn } from '#kernel/forms/uploads.ts'
import { textOf } from '#kernel/text.ts'
import type { BodyProps } from '#rooms/documents/offers.web.tsx'
import { showDay } from '#web/dates/uk-dates.ts'
import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'
import { UploadsView } from '#web/uploads/view.tsx'
import { fromLines } from '../grid/grid.ts'
import { HazardTable } from '../grid/hazard-table.web.tsx'
import type { Line } from '../grid/line.ts'
import css from './body.module.css'
import { methodOf, type PpeItem } from './snapshots.ts'

const DETAILS = [
  ['location', 'Where'],
  ['project', 'Project'],
  ['siteAddress', 'Site address'],
  ['startDate', 'Starts on'],
  ['duration', 'For how long'],
  ['equipment', 'Equipment used'],
  ['mainContractor', 'Main contractor'],
  ['clientContact', 'Client’s contact'],
  ['jobNumber', 'Job number'],
  ['internalJobReference', 'Our job reference'],
] as const

const words = (v: unknown): string => textOf(v).trim()
const list = <T,>(v: unknown): readonly T[] => (Array.isArray(v) ? (v as T[]) : [])

/** An assessment as it is read, signed and handed over. */
export default function RiskBody({ record, labels = {} }: BodyProps) {
  const grid = useMemo(() => fromLines(list<Line>(record.controls)), [record.controls])
  const method = methodOf(record.methodStatement)
  const statements = [...method.defaultStatements, ...method.nonDefaultStatements]
  const contacts = list<{ name?: string; number?: string }>(record.emergencyContact).filter((c) => c.name || c.number)
  const ppe = list<PpeItem>(record.ppeItems)
  const files = uploadsIn(record.uploadedDocuments)
  const details = DETAILS.flatMap(([name, label]) => {
    const text = name === 'startDate' && record[name] ? showDay(words(record[name])) : words(record[name])
    return text ? [[labels[name] ?? label, text] as const] : []
  })
  const people = [
    [labels.groupsAffected ?? 'Who might be harmed', list<string>(record.groupsAffected).join(', ')],
    [labels.personsAffected ?? 'How many', words(record.personsAffected)],
    [labels.firstAider ?? 'First aider', words(record.firstAider)],
  ].filter(([, text]) => text) as [string, string][]
  return (
    <div className={css.body}>
      {details.length > 0 && (
        <section>
          <h2>The work</h2>
          <Facts facts={details} />
        </section>
      )}
      {(people.length > 0 || words(record.note)) && (
        <section>
          <h2>People at risk</h2>
          <Facts facts={people} />
          {words(record.note) && <h3>{labels.note ?? 'Anything else about them'}</h3>}
          <RichTextView html={words(record.note)} />
        </section>
      )}
      <section>
        <h2>Hazards and controls</h2>
        {grid.length ? <HazardTable grid={grid} /> : <p className={css.about}>No hazards yet.</p>}
      </section>
      {ppe.length > 0 && (
        <section>
          <h2>Protective equipment that must be worn</h2>
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
          {statements.map((s) => (
            <div key={s['@id']}>
              <h3>{s.title}</h3>
              <RichTextView html={s.text} />
            </div>
          ))}
          {method.taskSelection.length > 0 && (
            <>
              <h3>Sequence of work</h3>
              <ol className={css.tasks}>
                {method.taskSelection.map((t) => (
                  <li key={t['@id']}>
                    <strong>{t.title}</strong>
                    <RichTextView html={t.text} />
                  </li>
                ))}
              </ol>
            </>
          )}
        </section>
      )}
      {contacts.length > 0 && (
        <section>
          <h2>In an emergency</h2>
          <ul className={css.contacts}>
            {contacts.map((c, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: three fixed places
              <li key={i}>
                <div>{c.name}</div>
                {c.number && <a href={`tel:${c.number.replace(/[^\d+]/g, '')}`}>{c.number}</a>}
              </li>
            ))}
          </ul>
        </section>
      )}
      {files.length > 0 && (
        <section>
          <h2>Pictures and files</h2>
          <UploadsView value={files} />
        </section>
      )}
    </div>
  )
}

const Facts = ({ facts }: { readonly facts: readonly (readonly [string, string])[] }) =>
  facts.length > 0 && (
    <dl className={css.facts}>
      {facts.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )

/** The drawing of the equipment, or its initials; its name stands below. */
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
