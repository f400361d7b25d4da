import { Anchor, Title } from '@mantine/core'
import { Link } from 'react-router'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { useList } from '#web/api/resources.ts'
import layout from '#web/ui/page.module.css'
import { employee } from '../employees/employee.ts'
import type { employeeRecord } from '../employees/employee-record.ts'
import css from '../people.module.css'
import { contract } from './contract.ts'
import { contractPath } from './nav.ts'
import { ContractStatus } from './status-chip.web.tsx'

/** Contracts of an employee, latest first. Shown only to readers of one. */
export default function ContractsOfEmployee({ record }: { readonly record: RecordOf<typeof employeeRecord> }) {
  const found = useList(contract, { employee: iriOf(employee, record.id), itemsPerPage: 20 })
  const rows = found.data?.['hydra:member'] ?? []
  if (!rows.length) return null
  return (
    <section className={layout.card} aria-label="Contracts">
      <Title order={2}>Contracts</Title>
      <ul className={css.history}>
        {rows.map(({ id, number, title, state }) => (
          <li key={id}>
            <Anchor component={Link} to={contractPath(id)}>
              {`${number} ${title}`}
            </Anchor>
            <ContractStatus state={state} />
          </li>
        ))}
      </ul>
    </section>
  )
}
