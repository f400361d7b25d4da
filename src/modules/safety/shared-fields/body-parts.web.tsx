import { uploadsInAnswer } from '#kernel/forms/uploads.ts'
import { toText } from '#kernel/text.ts'
import type { DocumentBodyProps } from '#modules/documents/types/kind.web.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { UploadsView } from '#web/uploads/view.tsx'
import css from './body.module.css'
import { filledJobContacts } from './contacts.ts'
import { FactGrid, type LabelledFact } from './facts.web.tsx'

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

/** Returns a record's values with their form labels. Omits empty values and formats dates. */
export const toLabelledFacts = (
  { record, labels = {} }: DocumentBodyProps,
  fields: readonly (readonly [name: string, usual: string])[],
): LabelledFact[] =>
  fields.flatMap(([name, usual]) => {
    const said = toText(record[name]).trim()
    const text = said && name === 'startDate' ? formatIsoAsUkDate(said) : said
    return text ? [[labels[name] ?? usual, text] as const] : []
  })

/** Section with a job's values, followed by any further content. */
export function JobSection({
  title,
  more = [],
  ...of
}: DocumentBodyProps & { readonly title: string; readonly more?: readonly LabelledFact[] }) {
  const facts = [...toLabelledFacts(of, DETAILS), ...more]
  return facts.length > 0 ? (
    <section>
      <h2>{title}</h2>
      <FactGrid facts={facts} />
    </section>
  ) : null
}

/** Emergency contacts. Tapping a telephone number calls it. */
export function JobContactList({ value }: { readonly value: unknown }) {
  const contacts = filledJobContacts(value)
  return (
    contacts.length > 0 && (
      <ul className={css.contacts}>
        {contacts.map((c, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: there are always three, in a fixed order
          <li key={i}>
            <div>{c.name}</div>
            {c.number && <a href={`tel:${c.number.replace(/[^\d+]/g, '')}`}>{c.number}</a>}
          </li>
        ))}
      </ul>
    )
  )
}

export function UploadedFiles({ value }: { readonly value: unknown }) {
  const files = uploadsInAnswer(value)
  return files.length > 0 ? (
    <section>
      <h2>Pictures and files</h2>
      <UploadsView value={files} />
    </section>
  ) : null
}
