import '@mantine/core/styles/Table.layer.css'
import { Checkbox, Table } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props<R, K extends string> {
  readonly rows: readonly R[]
  readonly columns: readonly { readonly name: K; readonly label: string }[]
  readonly disabled: boolean
  readonly onTick: (row: R, name: K, ticked: boolean) => void
  /** Renders content below the name in a row. */
  readonly below?: (row: R) => ReactNode
}

/** Table of notification types, with one checkbox per channel. */
export function CheckboxTable<
  K extends string,
  R extends { readonly kind: string; readonly label: string } & Readonly<Record<K, boolean>>,
>({ rows, columns, disabled, onTick, below }: Props<R, K>) {
  return (
    <Table maw={760}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Notification</Table.Th>
          {columns.map(({ name, label }) => (
            <Table.Th key={name} scope="col">
              {label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.kind}>
            <Table.Th scope="row" fw={400}>
              {row.label}
              {below?.(row)}
            </Table.Th>
            {columns.map(({ name, label }) => (
              <Table.Td key={name}>
                <Checkbox
                  aria-label={`${label}: ${row.label}`}
                  checked={row[name]}
                  disabled={disabled}
                  onChange={(e) => onTick(row, name, e.currentTarget.checked)}
                />
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
