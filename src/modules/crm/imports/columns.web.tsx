import { NativeSelect } from '@mantine/core'
import table from '#web/ui/table.module.css'
import css from './imports.module.css'
import { IMPORT_FIELDS } from './mapping.ts'

interface Props {
  readonly columns: readonly string[]
  readonly sample: readonly (readonly string[])[]
  readonly mapping: Readonly<Record<string, string>>
  readonly onChange: (column: string, target: string) => void
}

const CHOICES = [
  { value: '', label: 'Not imported' },
  ...Object.entries(IMPORT_FIELDS).map(([value, label]) => ({ value, label })),
]

/** Mapping of the file's columns to fields, with sample values. */
export const ImportColumnsTable = ({ columns, sample, mapping, onChange }: Props) => (
  <table className={`${table.table} ${css.mapping}`} aria-label="Columns of the file">
    <thead>
      <tr>
        <th scope="col">Column</th>
        <th scope="col">First values</th>
        <th scope="col">Field</th>
      </tr>
    </thead>
    <tbody>
      {columns.map((column, at) => {
        const target = mapping[column] ?? ''
        const twice =
          target !== '' && target !== 'notes' && Object.values(mapping).filter((t) => t === target).length > 1
        return (
          <tr key={column} data-unread={target === '' || undefined}>
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
                data={CHOICES}
                value={target}
                error={twice && 'Chosen for two columns'}
                onChange={(e) => onChange(column, e.currentTarget.value)}
              />
            </td>
          </tr>
        )
      })}
    </tbody>
  </table>
)
