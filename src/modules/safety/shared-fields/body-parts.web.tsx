import { uploadsIn } from '#kernel/forms/uploads.ts'
import { textOf } from '#kernel/text.ts'
import type { BodyProps } from '#modules/documents/types/kind.web.ts'
import { showDay } from '#web/dates/uk-dates.ts'
import { UploadsView } from '#web/uploads/view.tsx'
import css from './body.module.css'
import { contactsIn } from './contacts.ts'
import { type Fact, Facts } from './facts.web.tsx'

const DETAILS = [
  ['location', 'Where'],
  ['project', 'Project'],
  ['siteAddress', 'Site address'],
  ['startDate', 'Start date'],
  ['duration', 'Duration'],
  ['equipment', 'Equipment used'],
  ['mainContractor', 'Main contractor'],
  ['clientContact', 'Client’s contact'],
  ['jobNumber', 'Job number'],
  ['internalJobReference', 'Our job reference'],
] as const

/** Values of a record with their form labels, empty ones omitted, dates in readable form. */
export const factsIn = (
  { record, labels = {} }: BodyProps,
  fields: readonly (readonly [name: string, usual: string])[],
): Fact[] =>
  fields.flatMap(([name, usual]) => {
    const said = textOf(record[name]).trim()
    const text = said && name === 'startDate' ? showDay(said) : said
    return text ? [[labels[name] ?? usual, text] as const] : []
  })

/** Section with the values of a job, and further content. */
export function JobSection({
  title,
  more = [],
  ...of
}: BodyProps & { readonly title: string; readonly more?: readonly Fact[] }) {
  const facts = [...factsIn(of, DETAILS), ...more]
  return facts.length > 0 ? (
    <section>
      <h2>{title}</h2>
      <Facts facts={facts} />
    </section>
  ) : null
}

/** Emergency contacts; tapping a number dials it. */
export function Contacts({ value }: { readonly value: unknown }) {
  const contacts = contactsIn(value)
  return (
    contacts.length > 0 && (
      <ul className={css.contacts}>
        {contacts.map((c, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: three fixed places
          <li key={i}>
            <div>{c.name}</div>
            {c.number && <a href={`tel:${c.number.replace(/[^\d+]/g, '')}`}>{c.number}</a>}
          </li>
        ))}
      </ul>
    )
  )
}

export function Files({ value }: { readonly value: unknown }) {
  const files = uploadsIn(value)
  return files.length > 0 ? (
    <section>
      <h2>Pictures and files</h2>
      <UploadsView value={files} />
    </section>
  ) : null
}
