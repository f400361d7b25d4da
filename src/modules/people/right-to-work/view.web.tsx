import { Alert, Button, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useParams } from 'react-router'
import { can, canRunAction } from '#kernel/can.ts'
import { iriOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { ConfidentialReadsOfRecord } from '#modules/identity/confidential-reads/of-record.web.tsx'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord, useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { FieldValue } from '#web/forms/field-value.tsx'
import { usePageTitle } from '#web/shell/pages/title.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import layout from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows, SectionError } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { employee } from '../employees/employee.ts'
import css from '../people.module.css'
import { type Check, Checks } from './checks.web.tsx'
import { RIGHT_TO_WORK_PATHS } from './nav.ts'
import { rightToWorkCheck, rightToWorkDestruction, rightToWorkStatus } from './right-to-work.ts'
import { describeDefence, RightToWorkChip, type RightToWorkRecord } from './status.web.tsx'

const CheckDialog = lazyComponent(async () => ({ default: (await import('./check-dialog.web.tsx')).CheckDialog }))

const BACK = { label: 'Right to work', to: RIGHT_TO_WORK_PATHS.list }
const MAX_SHOWN = 100

/** Right to work of one employee: status, checks with their copies, and certificates of destruction. */
export default function RightToWorkOfEmployee() {
  const { slug } = useParams()
  const found = useApiRecord(rightToWorkStatus, slug)
  usePageTitle(found.data?.name)
  if (found.data) return <RightToWork status={found.data} />
  return (
    <Page title="Right to work" back={BACK}>
      {found.error ? <ErrorState error={found.error} onRetry={() => void found.refetch()} /> : <LoadingRows rows={8} />}
    </Page>
  )
}

function RightToWork({ status }: { readonly status: RightToWorkRecord }) {
  const actor = useActor()
  const queries = useQueryClient()
  const [form, setForm] = useState<Check | 'new' | 'destroy'>()
  const [opened, setOpened] = useState<number>()
  const of = iriOf(employee, status.id)
  const checks = useList(rightToWorkCheck, { employee: of, itemsPerPage: MAX_SHOWN })
  const close = () => setForm(undefined)
  const refresh = () => {
    for (const { url } of [rightToWorkStatus, rightToWorkCheck, rightToWorkDestruction])
      void queries.invalidateQueries({ queryKey: [url] })
  }
  const destroy = async () => {
    await callApi('POST', `${status['@id']}/${rightToWorkStatus.actions?.destroy?.path}`, { confirmed: true })
    refresh()
    toast.saved('The certificate of destruction')
    close()
  }
  const listed = checks.data?.['hydra:member']
  return (
    <Page
      title={status.name}
      back={BACK}
      beside={<RightToWorkChip state={status.state} />}
      actions={
        status.state === 'toDestroy'
          ? canRunAction(actor, 'destroy', rightToWorkStatus) && (
              <Button color="red" onClick={() => setForm('destroy')}>
                Destroy checks
              </Button>
            )
          : can(actor, 'create', rightToWorkCheck) && <Button onClick={() => setForm('new')}>Record check</Button>
      }
    >
      <div className={layout.columns}>
        <div className={layout.page}>
          <Section title="Statutory defence">
            <Warnings status={status} />
            <Text>{describeDefence(status)}</Text>
          </Section>
          <Section title="Checks">
            {checks.error && <SectionError error={checks.error} onRetry={checks.refetch} />}
            {!listed && !checks.error && <LoadingRows rows={3} />}
            {listed?.length === 0 && <Text c="dimmed">No checks</Text>}
            {listed && <Checks checks={listed} opened={opened} onCorrect={setForm} />}
          </Section>
        </div>
        <div className={layout.page}>
          <Section title="Employment">
            <dl className={css.facts}>
              <dt>First day</dt>
              <dd>{status.extCStartDate ? formatIsoDateAsUk(status.extCStartDate) : 'Missing'}</dd>
              {status.leavingDate && (
                <>
                  <dt>Last day</dt>
                  <dd>{formatIsoDateAsUk(status.leavingDate)}</dd>
                </>
              )}
              {status.destroyFrom && (
                <>
                  <dt>Checks may be destroyed from</dt>
                  <dd>{formatIsoDateAsUk(status.destroyFrom)}</dd>
                </>
              )}
            </dl>
          </Section>
          <Certificates of={of} />
          <ConfidentialReadsOfRecord record={status['@id']} />
        </div>
      </div>
      {form === 'destroy' ? (
        <ConfirmDialog
          opened
          onClose={close}
          onConfirm={destroy}
          title={`Destroy the checks of ${status.name}`}
          question="The details and copies of all checks are destroyed, and can’t be restored. A certificate with your name, the time and a fingerprint remains."
          action="Destroy checks"
        />
      ) : (
        form && (
          <CheckDialog
            status={status}
            corrected={form === 'new' ? undefined : form}
            onClose={close}
            onSaved={(id) => {
              refresh()
              setOpened(id)
              close()
            }}
          />
        )
      )}
    </Page>
  )
}

function Warnings({ status: { state, nextCheckBy, noDefenceBefore } }: { readonly status: RightToWorkRecord }) {
  return (
    <>
      {state === 'overdue' && nextCheckBy && (
        <Alert color="red" title={`Overdue since ${formatIsoDateAsUk(nextCheckBy)}`}>
          Check again now. The portal blocks nothing: your company decides on the work until then.
        </Alert>
      )}
      {noDefenceBefore && (
        <Alert color="yellow" title={`No defence before ${formatIsoDateAsUk(noDefenceBefore)}`}>
          The portal compares the days of the checks with the first day of employment and the end of earlier checks.
        </Alert>
      )}
    </>
  )
}

/** Certificates of destruction; nothing if there are none. */
function Certificates({ of }: { readonly of: string }) {
  const certificates = useList(rightToWorkDestruction, { employee: of }).data?.['hydra:member'] ?? []
  if (!certificates.length) return null
  return (
    <Section title="Certificates of destruction">
      <ol className={css.history}>
        {certificates.map((one) => (
          <li key={one.id}>
            <strong>{one.number}</strong>
            <span>{`${one.checks} ${one.checks === 1 ? 'check' : 'checks'} and ${one.copies} ${one.copies === 1 ? 'copy' : 'copies'}`}</span>
            <span>
              {'Confirmed by '}
              <FieldValue field={rightToWorkDestruction.fields.author} value={one.author} />
              {', '}
              <DateTimeText at={one.createdAt} />
            </span>
            <Text size="sm" c="dimmed" className={css.fingerprint}>
              {`Fingerprint ${one.digest}`}
            </Text>
          </li>
        ))}
      </ol>
    </Section>
  )
}

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={layout.card} aria-label={title}>
    <Title order={2}>{title}</Title>
    {children}
  </section>
)
