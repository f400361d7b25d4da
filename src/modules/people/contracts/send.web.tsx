import '@mantine/core/styles/NumberInput.layer.css'
import { Alert, Button, Checkbox, Group, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { formatInteger } from '#kernel/text.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { invalidateLists } from '#web/api/resources.ts'
import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'
import { firstMessageByField } from '#web/forms/inputs/signature-form.tsx'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { RowsTable } from '#web/lists/rows-table.tsx'
import layout from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { OfflineNotice } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { department, employee } from '../employees/employee.ts'
import { IN_SERVICE } from '../employees/employee-fields.ts'
import { incidentSite } from '../sites/incident-site.ts'
import { contract } from './contract.ts'
import { contractMailing, MAILING_PREVIEW_URL, type MailingPreview } from './contract-mailing.ts'
import { contractTemplate } from './contract-template.ts'
import css from './contracts.module.css'
import { CONTRACT_PATHS } from './nav.ts'

interface Draft {
  readonly template: string | null
  readonly audience: 'one' | 'group'
  readonly employee: string | null
  readonly department: string | null
  readonly site: string | null
  readonly joiners: boolean
  readonly countersigner: string | null
  readonly days: number | string
}

const EMPTY: Draft = {
  template: null,
  audience: 'one',
  employee: null,
  department: null,
  site: null,
  joiners: false,
  countersigner: null,
  days: 14,
}

type Preview = MailingPreview & { readonly version: number }

const bodyOf = ({ template, audience, employee: one, department: of, site, countersigner }: Draft) => ({
  template,
  countersigner,
  ...(audience === 'one' ? { employee: one } : { department: of, site }),
})

/** Sends a contract: first a preview of who gets it and what it says, then the contracts themselves. */
export default function SendContract() {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [draft, setDraft] = useState(EMPTY)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const fail = (error: unknown) => {
    if (error instanceof ApiError && error.violations.length) setWrong(firstMessageByField(error.violations))
    else toast.failed(error)
  }
  const preview = useMutation({
    mutationFn: () => callApi<Preview>('POST', MAILING_PREVIEW_URL, bodyOf(draft)),
    onError: fail,
  })
  const send = useMutation({
    mutationFn: () =>
      callApi('POST', contractMailing.url, {
        ...bodyOf(draft),
        templateVersion: preview.data?.version,
        joiners: draft.audience === 'group' && draft.joiners,
        days: draft.days === '' ? null : Number(draft.days),
      }),
    onSuccess: () => {
      toast.info(
        draft.audience === 'one' ? 'The contract is sent' : 'The contracts are being sent in the background',
        'safe',
      )
      void invalidateLists(queryClient, contract)
      void invalidateLists(queryClient, contractMailing)
      void navigate(draft.audience === 'one' ? CONTRACT_PATHS.list : CONTRACT_PATHS.mailings)
    },
    onError: fail,
  })
  const change = (values: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...values }))
    setWrong({})
    preview.reset()
  }
  return (
    <Page
      title="Send contract"
      back={{ label: 'Contracts', to: CONTRACT_PATHS.list }}
      about="Nothing is sent before you have seen the preview."
    >
      <OfflineNotice>You are offline. You can send contracts when the connection is back.</OfflineNotice>
      <form
        className={layout.card}
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          if (draft.audience === 'one' && !draft.employee) setWrong({ employee: 'Please choose an employee' })
          else preview.mutate()
        }}
      >
        <Stack gap="sm">
          <RemoteSelect
            target={contractTemplate}
            label="Template (Required)"
            params={IN_SERVICE}
            value={draft.template}
            error={wrong.template}
            onChange={(template) => change({ template })}
          />
          <SegmentedControl
            aria-label="Recipients"
            value={draft.audience}
            onChange={(audience) => change({ audience: audience as Draft['audience'] })}
            data={[
              { value: 'one', label: 'One employee' },
              { value: 'group', label: 'A group' },
            ]}
          />
          {draft.audience === 'one' ? (
            <RemoteSelect
              target={employee}
              label="Employee (Required)"
              params={IN_SERVICE}
              value={draft.employee}
              error={wrong.employee}
              onChange={(one) => change({ employee: one })}
            />
          ) : (
            <>
              <RemoteSelect
                target={department}
                label="Department"
                description="Empty for the whole company. Subcontractors are left out."
                params={IN_SERVICE}
                value={draft.department}
                onChange={(of) => change({ department: of })}
              />
              <RemoteSelect
                target={incidentSite}
                label="Site"
                params={IN_SERVICE}
                value={draft.site}
                onChange={(site) => change({ site })}
              />
              <Checkbox
                label="Also send to future joiners"
                description={contractMailing.fields.joiners.help}
                checked={draft.joiners}
                onChange={(e) => change({ joiners: e.currentTarget.checked })}
              />
            </>
          )}
          <RemoteSelect
            target={employee}
            label="Countersigned by (Required)"
            description="Another employee with an account. They sign after the employee."
            params={IN_SERVICE}
            value={draft.countersigner}
            error={wrong.countersigner}
            onChange={(countersigner) => change({ countersigner })}
          />
          <NumberInput
            label="Days to sign (Required)"
            min={1}
            max={365}
            allowDecimal={false}
            value={draft.days}
            error={wrong.days}
            onChange={(days) => change({ days })}
          />
          <Group>
            <Button type="submit" variant={preview.data ? 'default' : 'filled'} loading={preview.isPending}>
              Preview
            </Button>
          </Group>
        </Stack>
      </form>
      {preview.data && (
        <PreviewOfMailing preview={preview.data} joiners={draft.audience === 'group' && draft.joiners}>
          <Button
            loading={send.isPending}
            leftSection={<IconSend size={16} aria-hidden />}
            onClick={() => send.mutate()}
          >
            {sendLabel(
              preview.data.rows.filter(({ problem }) => !problem).length,
              draft.audience === 'group' && draft.joiners,
            )}
          </Button>
        </PreviewOfMailing>
      )}
    </Page>
  )
}

const sendLabel = (count: number, joiners: boolean): string =>
  `${count === 0 && joiners ? 'Start for joiners' : `Send ${formatInteger(count)} ${count === 1 ? 'contract' : 'contracts'}`}`

interface PreviewProps {
  readonly preview: Preview
  readonly joiners: boolean
  readonly children: ReactNode
}

/** Employees who get the contract and who don’t, with the reason, and the text for the first of them. */
function PreviewOfMailing({ preview: { rows, emailsToday, sample, version }, joiners, children }: PreviewProps) {
  const count = rows.filter(({ problem }) => !problem).length
  const emails = rows.filter(({ email, problem }) => email && !problem).length
  const left = rows.length - count
  return (
    <section className={layout.card} aria-labelledby="preview">
      <h2 id="preview">{`Preview of version ${version}`}</h2>
      <Text aria-live="polite">
        {`${formatInteger(count)} of ${formatInteger(rows.length)} ${rows.length === 1 ? 'employee gets' : 'employees get'} the contract. `}
        {emails > 0 &&
          `${formatInteger(emailsToday)} by e-mail today${emails > emailsToday ? `, ${formatInteger(emails - emailsToday)} from tomorrow` : ''}. `}
        {joiners && 'Joiners get it on the day they join.'}
      </Text>
      {left > 0 && (
        <Alert
          color="yellow"
          title={`${formatInteger(left)} ${left === 1 ? 'employee gets' : 'employees get'} no contract`}
        >
          The list states the reason for each.
        </Alert>
      )}
      <RowsTable
        label="Employees"
        search
        empty="No employee has this name."
        heads={['Employee', 'Signs', 'Left out because']}
        rows={rows
          .toSorted((a, b) => Number(b.problem !== '') - Number(a.problem !== ''))
          .map((row) => ({
            key: row.employee,
            words: row.name,
            cells: [row.name, row.problem ? '' : row.email ? `By link: ${row.email}` : 'In the portal', row.problem],
          }))}
      />
      {sample && (
        <section className={css.sheet} aria-labelledby="sample">
          <h3 id="sample">{`Text for ${rows.find(({ problem }) => !problem)?.name}`}</h3>
          <RichTextView html={sample} />
        </section>
      )}
      {count > 0 || joiners ? <Group>{children}</Group> : <Alert color="red">Nobody would get this contract.</Alert>}
    </section>
  )
}
