import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { usePageTitle } from '#web/shell/pages/title.ts'
import layout from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { department } from '../employees/employee.ts'
import { departmentPath, PEOPLE_PATHS } from '../nav.ts'

const BACK = { label: 'Departments', to: PEOPLE_PATHS.departments }

/** Form for a department. Without a slug, it adds one. */
export default function UpdateDepartment() {
  const { slug } = useParams()
  const found = useApiRecord(department, slug)
  usePageTitle(found.data?.name)
  if (!slug) return <DepartmentForm />
  if (found.data) return <DepartmentForm record={found.data} />
  return (
    <Page title="Department" back={BACK}>
      {found.error ? <ErrorState error={found.error} onRetry={() => void found.refetch()} /> : <LoadingRows rows={6} />}
    </Page>
  )
}

function DepartmentForm({ record }: { readonly record?: RecordOf<typeof department> }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const back = record ? { label: record.name, to: departmentPath(record.id) } : BACK
  return (
    <Page title={record ? `Edit ${record.name}` : 'Add department'} back={back}>
      <section className={layout.card} aria-label="Department">
        <ResourceForm
          resource={department}
          fields={['name', 'head', 'deputy', 'approver', 'minimumCover', ...(record ? (['retired'] as const) : [])]}
          {...(record ? { record } : {})}
          onCancel={() => void navigate(back.to)}
          onSaved={(saved) => {
            void queries.invalidateQueries({ queryKey: [department.url] })
            void navigate(departmentPath(saved.id))
          }}
        />
      </section>
    </Page>
  )
}
