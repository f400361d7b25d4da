import { Button, Group, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link, useParams } from 'react-router'
import { can } from '#kernel/can.ts'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { ConfidentialReadsOfRecord } from '#modules/identity/confidential-reads/of-record.web.tsx'
import { user } from '#modules/identity/people/user.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord, useList } from '#web/api/resources.ts'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { RecordPanels } from '#web/shell/manifest/panels.tsx'
import { usePageTitle } from '#web/shell/pages/title.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import layout from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { JobHistory } from '../jobs/history.web.tsx'
import { employeeLogin } from '../logins/employee-login.ts'
import { LoginHistory } from '../logins/history.web.tsx'
import { MyTaskHelp } from '../logins/my-task.web.tsx'
import { SendLoginButton } from '../logins/send.web.tsx'
import { PEOPLE_PATHS } from '../nav.ts'
import { employee } from './employee.ts'
import { employeeRecord } from './employee-record.ts'
import { EmployeeStatus } from './status-chip.web.tsx'
import { BankFacts, ContactFacts, EmergencyFacts, JobFacts, PersonalFacts } from './view-parts.web.tsx'

const RetireDialog = lazyComponent(async () => ({ default: (await import('./retire-dialog.web.tsx')).RetireDialog }))
const ReturnDialog = lazyComponent(async () => ({ default: (await import('./retire-dialog.web.tsx')).ReturnDialog }))
const EraseDialog = lazyComponent(async () => ({
  default: (await import('../erasure/erase-dialog.web.tsx')).EraseDialog,
}))

export type EmployeeRecord = RecordOf<typeof employeeRecord>

const BACK = { label: 'Employees', to: PEOPLE_PATHS.list }

/** Page of one employee. Without a slug, it shows the reader's own record. */
export default function ViewEmployee() {
  const { slug } = useParams()
  return slug ? <EmployeeById id={slug} /> : <OwnEmployee />
}

function OwnEmployee() {
  const actor = useActor()
  const own = useList(employeeRecord, { user: iriOf(user, actor.userId), itemsPerPage: 1 })
  const id = own.data?.['hydra:member'][0]?.id
  if (id) return <EmployeeById id={String(id)} />
  return (
    <Page title="Employee" back={BACK}>
      {own.error ? (
        <ErrorState error={own.error} onRetry={() => void own.refetch()} />
      ) : own.data ? (
        <EmptyState title="No employee record">
          Your account is not joined to an employee. An administrator of your company can join them.
        </EmptyState>
      ) : (
        <LoadingRows rows={8} />
      )}
    </Page>
  )
}

function EmployeeById({ id }: { readonly id: string }) {
  const found = useApiRecord(employeeRecord, id)
  usePageTitle(found.data?.name)
  if (found.data) return <Employee record={found.data} />
  return (
    <Page title="Employee" back={BACK}>
      {found.error ? <ErrorState error={found.error} onRetry={() => void found.refetch()} /> : <LoadingRows rows={8} />}
    </Page>
  )
}

function Employee({ record }: { readonly record: EmployeeRecord }) {
  const actor = useActor()
  const [open, setOpen] = useState<'retire' | 'return' | 'erase'>()
  const close = () => setOpen(undefined)
  const mayChange = can(actor, 'update', employee) && !record.erasedOn
  return (
    <Page
      title={record.name}
      back={{ label: 'Employees', to: getListReturnPath(PEOPLE_PATHS.list) }}
      beside={<EmployeeStatus state={record.state} />}
      actions={
        mayChange && (
          <Group gap="sm">
            <Button component={Link} to={`${PEOPLE_PATHS.update}/${record.id}`}>
              Edit
            </Button>
            <SendLoginButton record={record} />
            <Button variant="default" onClick={() => setOpen(record.retired ? 'return' : 'retire')}>
              {record.retired ? 'Restore' : 'Retire'}
            </Button>
            {record.retired && (
              <Button variant="default" onClick={() => setOpen('erase')}>
                Erase identity
              </Button>
            )}
          </Group>
        )
      }
    >
      <div className={layout.columns}>
        <div className={layout.page}>
          <Section title="Job">
            <JobFacts record={record} />
          </Section>
          <Section title="Contact">
            <ContactFacts record={record} />
          </Section>
          {record.dob !== undefined && (
            <Section title="Personal details">
              <PersonalFacts record={record} />
            </Section>
          )}
          {record.emergencyContacts !== undefined && (
            <Section title="Emergency contacts">
              <EmergencyFacts record={record} />
            </Section>
          )}
          {record.accountNumber !== undefined && (
            <Section title="Bank and National Insurance">
              <BankFacts record={record} />
            </Section>
          )}
          <RecordPanels record={record} />
        </div>
        <div className={layout.page}>
          <Section title="Job history">
            <JobHistory record={record} />
          </Section>
          {can(actor, 'read', employeeLogin) && (
            <Section title="Login details">
              <LoginHistory record={record} />
              <MyTaskHelp />
            </Section>
          )}
          <ConfidentialReadsOfRecord record={record['@id']} />
        </div>
      </div>
      {open === 'retire' && <RetireDialog record={record} onClose={close} />}
      {open === 'return' && <ReturnDialog record={record} onClose={close} />}
      {open === 'erase' && <EraseDialog record={record} onClose={close} />}
    </Page>
  )
}

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={layout.card} aria-label={title}>
    <Title order={2}>{title}</Title>
    {children}
  </section>
)
