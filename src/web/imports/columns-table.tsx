import { NativeSelect } from '@mantine/core'
import table from '#web/ui/table.module.css'
import css from './imports.module.css'

interface Props {
  readonly columns: readonly string[]
  readonly sample: readonly (readonly string[])[]
  readonly mapping: Readonly<Record<string, string>>
  /** Labels of the fields to which columns can be mapped. */
  readonly fields: Readonly<Record<string, string>>
  /** Field that several columns may have. */
  readonly repeatable?: string
  readonly onChange: (column: string, field: string) => void
}

/** Table that maps the columns of a file to fields, and shows sample values. */
export const ImportColumnsTable = ({ columns, sample, mapping, fields, repeatable, onChange }: Props) => {
  const choices = [
    { value: '', label: 'Not imported' },
    ...Object.entries(fields).map(([value, label]) => ({ value, label })),
  ]
  return (
    <table className={`${table.table} ${css.mapping}`} aria-label="Columns in the file">
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">First values</th>
          <th scope="col">Field</th>
        </tr>
      </thead>
      <tbody>
        {columns.map((column, at) => {
          const field = mapping[column] ?? ''
          const isTwice =
            field !== '' && field !== repeatable && Object.values(mapping).filter((one) => one === field).length > 1
          return (
            <tr key={column} data-unread={field === '' || undefined}>
              <th scope="row" className={css.column}>
                {column}
              </th>
              <td className={css.values}>
                {sample
                  .map((row) => row[at])
                  .filter(Boolean)
                  .slice(0, 3)
                  .join(' · ') || '—'}
              </td>
              <td className={css.becomes}>
                <NativeSelect
                  aria-label={`Field for ${column}`}
                  data={choices}
                  value={field}
                  error={isTwice && 'This field is chosen for two columns'}
                  onChange={(e) => onChange(column, e.currentTarget.value)}
                />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
