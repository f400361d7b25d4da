import { Anchor, Button, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useParams } from 'react-router'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord, useList } from '#web/api/resources.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { usePageTitle } from '#web/shell/pages/title.ts'
import layout from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows, SectionError } from '#web/ui/states.tsx'
import { RetiredChip } from '#web/ui/status-chip.tsx'
import { department } from '../employees/employee.ts'
import { employeeRecord } from '../employees/employee-record.ts'
import { departmentPath, employeePath, PEOPLE_PATHS } from '../nav.ts'
import css from '../people.module.css'

const LIST = listUrlSchema({ retired: retiredFilterSchema, head: z.string().default('') })
type Department = RecordOf<typeof department>

/** One department with its members; without a slug, the list of departments. */
export default function Departments() {
  const { slug } = useParams()
  return slug ? <DepartmentById id={slug} /> : <DepartmentList />
}

function DepartmentList() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const add = can(actor, 'create', department) && (
    <Button component={Link} to={PEOPLE_PATHS.updateDepartment} leftSection={<IconPlus size={16} aria-hidden />}>
      Add department
    </Button>
  )
  return (
    <Page title="Departments" actions={add}>
      <DataList
        resource={department}
        label="Departments"
        state={state}
        onState={set}
        filters={['head', 'retired']}
        columns={[{ key: 'name', link: true }, 'head', { key: 'deputy', wide: true }, 'minimumCover']}
        rowMuted={(one: Department) => one.retired === true}
        href={(one: Department) => departmentPath(one.id)}
        nothing={
          <EmptyState title="No departments found" action={add}>
            Add the departments of your company.
          </EmptyState>
        }
      />
    </Page>
  )
}

function DepartmentById({ id }: { readonly id: string }) {
  const actor = useActor()
  const found = useApiRecord(department, id)
  usePageTitle(found.data?.name)
  const back = { label: 'Departments', to: PEOPLE_PATHS.departments }
  if (!found.data)
    return (
      <Page title="Department" back={back}>
        {found.error ? (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <LoadingRows rows={6} />
        )}
      </Page>
    )
  const { name, head, deputy, approver, minimumCover, retired } = found.data
  const facts = [
    ['Head', head?.name],
    ['Deputy', deputy?.name],
    ['Approver', approver?.name ?? 'Manager of each member'],
    ['Minimum cover', minimumCover ?? 'None set'],
  ] as const
  return (
    <Page
      title={name}
      back={back}
      beside={retired && <RetiredChip retired />}
      actions={
        can(actor, 'update', department) && (
          <Button component={Link} to={`${PEOPLE_PATHS.updateDepartment}/${id}`}>
            Edit
          </Button>
        )
      }
    >
      <section className={layout.card} aria-label="Department">
        <dl className={css.facts}>
          {facts.map(([label, value]) => [
            <dt key={label}>{label}</dt>,
            <dd key={`${label} value`}>{value ?? '—'}</dd>,
          ])}
        </dl>
      </section>
      <Members id={id} />
    </Page>
  )
}

/** Members of a department that the reader may see. */
function Members({ id }: { readonly id: string }) {
  const list = useList(employeeRecord, { department: id, retired: 'false', itemsPerPage: 200 })
  const members = list.data?.['hydra:member']
  return (
    <section className={layout.card} aria-label="Members">
      <Title order={2}>Members</Title>
      {list.error ? (
        <SectionError error={list.error} onRetry={list.refetch} />
      ) : !members ? (
        <LoadingRows rows={3} />
      ) : members.length ? (
        <ul className={css.history}>
          {members.map((one) => (
            <li key={one.id}>
              <Anchor component={Link} to={employeePath(one.id)}>
                {one.name}
              </Anchor>
              <span className={layout.quiet}>{one.jobtitlename}</span>
            </li>
          ))}
        </ul>
      ) : (
        <p className={layout.quiet}>No members that you can see.</p>
      )}
    </section>
  )
}
