import { Anchor, Group, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import layout from '#web/ui/page.module.css'
import type { employeeRecord } from '../employees/employee-record.ts'
import { HR_ROLES } from '../rights.ts'
import { rightToWorkPath } from './nav.ts'
import { rightToWorkStatus } from './right-to-work.ts'
import { describeDefence, RightToWorkChip } from './status.web.tsx'

/** Status of an employee's right to work in their record, for themselves and human resources; nothing for managers. */
export default function RightToWorkPanel({ record }: { readonly record: RecordOf<typeof employeeRecord> }) {
  const actor = useActor()
  const status = useList(rightToWorkStatus, { id: record.id, itemsPerPage: 1 }).data?.['hydra:member'][0]
  if (!status) return null
  return (
    <section className={layout.card} aria-label="Right to work">
      <Title order={2}>Right to work</Title>
      <Group gap="sm">
        <RightToWorkChip state={status.state} />
        {hasRole(actor, HR_ROLES) && (
          <Anchor component={Link} to={rightToWorkPath(record.id)}>
            Open
          </Anchor>
        )}
      </Group>
      {hasRole(actor, HR_ROLES) && <Text size="sm">{describeDefence(status)}</Text>}
    </section>
  )
}
