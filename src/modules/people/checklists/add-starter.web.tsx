import { Anchor } from '@mantine/core'
import { Link, useNavigate } from 'react-router'
import { link } from '#kernel/fields.ts'
import { lastIriSegment } from '#kernel/iri.ts'
import type { Resource } from '#kernel/resource.ts'
import { useList } from '#web/api/resources.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import layout from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { employee } from '../employees/employee.ts'
import { useRefreshEmployees } from '../refresh.web.ts'
import { checklistTemplate } from './checklist.ts'
import { CHECKLIST_PATHS, checklistPath, STARTERS_URL } from './nav.ts'

const { forename, surname, email, jobtitlename, department, manager, site, extCStartDate } = employee.fields

/** An employee together with the template of their checklist. */
const starter: Resource = {
  ...employee,
  url: STARTERS_URL,
  fields: {
    forename,
    surname,
    email,
    jobtitlename,
    department,
    manager,
    site,
    extCStartDate,
    template: link(() => checklistTemplate, {
      required: 'Please choose a template',
      offers: { retired: 'false', purpose: 'starter' },
      label: 'Checklist template',
    }),
  },
}

/** Adds a starter and their checklist in one step. */
export default function AddStarter() {
  const navigate = useNavigate()
  const refresh = useRefreshEmployees()
  const templates = useList(checklistTemplate, { purpose: 'starter', retired: false, itemsPerPage: 1 }).data
  return (
    <Page
      title="Add starter"
      back={{ label: 'Checklists', to: CHECKLIST_PATHS.list }}
      about="Adds the employee and a checklist. Tasks are due before or after the employment start date."
    >
      {templates?.['hydra:totalItems'] === 0 ? (
        <EmptyState title="No template for starters yet">
          <Anchor component={Link} to={CHECKLIST_PATHS.templates}>
            Add a template
          </Anchor>
        </EmptyState>
      ) : (
        <section className={layout.card} aria-label="Starter">
          <ResourceForm
            resource={starter}
            decided
            action="Add starter"
            onCancel={() => void navigate(CHECKLIST_PATHS.list)}
            onSaved={(saved) => {
              refresh()
              const { checklist } = saved as unknown as { readonly checklist: string }
              void navigate(checklistPath(lastIriSegment(checklist)))
            }}
          />
        </section>
      )}
    </Page>
  )
}
