import { useNavigate } from 'react-router'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import layout from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { employeePath, PEOPLE_PATHS } from '../nav.ts'
import { useRefreshEmployees } from '../refresh.web.ts'
import { employee } from './employee.ts'

/** Short form for a new employee: further details are added in the record. */
export default function AddEmployee() {
  const navigate = useNavigate()
  const refresh = useRefreshEmployees()
  return (
    <Page
      title="Add employee"
      back={{ label: 'Employees', to: PEOPLE_PATHS.list }}
      about="Add the essentials now, and further details in the record."
    >
      <section className={layout.card} aria-label="Employee">
        <ResourceForm
          resource={employee}
          fields={['forename', 'surname', 'email', 'jobtitlename', 'department', 'manager', 'site', 'extCStartDate']}
          action="Add employee"
          onCancel={() => void navigate(PEOPLE_PATHS.list)}
          onSaved={(saved) => {
            refresh()
            void navigate(employeePath(saved.id))
          }}
        />
      </section>
    </Page>
  )
}
