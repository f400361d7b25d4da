import { z } from 'zod'
import { lastIriSegment } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { useList } from '#web/api/resources.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { employeePath } from '../nav.ts'
import { department, employee } from './employee.ts'

const value = z.string().default('')
const LIST = listUrlSchema({
  retired: retiredFilterSchema,
  department: value,
  site: value,
  manager: value,
  nation: value,
})

type Employee = RecordOf<typeof employee>

const set = (title: string) => ({ title: `Set ${title}`, done: 'changed' })

const WORDS = {
  department: set('department'),
  manager: set('manager'),
  site: set('site'),
  nation: set('nation'),
  jobtitlename: set('job title'),
}

/** Sets one detail of many employees at once, with the present values, and an undo. */
export default function MassUpdate() {
  const [state, setState] = useUrlState(LIST)
  const departments = useList(department, { pagination: false }).data?.['hydra:member'] ?? []
  const nameOf = (iri: unknown) =>
    typeof iri === 'string' ? departments.find(({ id }) => String(id) === lastIriSegment(iri))?.name : undefined
  return (
    <Page title="Mass update" about="Select employees, then choose what to set for all of them.">
      <DataList
        resource={employee}
        label="Employees"
        state={state}
        onState={setState}
        search="Search by name"
        filters={['department', 'site', 'manager', 'nation', 'retired']}
        columns={[
          { key: 'name', link: true, order: 'forename' },
          'jobtitlename',
          { key: 'department', render: (one: Employee) => nameOf(one.department) ?? '—' },
          'site',
          { key: 'nation', wide: true },
        ]}
        rowMuted={(one) => one.retired === true}
        href={(one: Employee) => employeePath(one.id)}
        bulkWords={WORDS}
        nothing={<EmptyState title="No employees found">Change the search or the filters.</EmptyState>}
      />
    </Page>
  )
}
