import { Button, Text } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useParams } from 'react-router'
import { canRunActionInState, FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import { iriOf, type RecordOf, type Resource } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { openPdf } from '#web/api/pdf.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { invalidateLists, useApiRecord } from '#web/api/resources.ts'
import { formatIsoAsUkDate, formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { usePageTitle } from '#web/shell/pages/title.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import layout from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StoredSignature } from '#web/ui/stored-signature.tsx'
import { toast } from '#web/ui/toast.ts'
import facts from '../people.module.css'
import { type ContractParty, type ContractSignature, contract, UNSIGNED_STATES } from './contract.ts'
import css from './contracts.module.css'
import { CONTRACT_PATHS } from './nav.ts'
import { ContractSheet, SignContract } from './sign-form.web.tsx'
import { ContractStatus } from './status-chip.web.tsx'

type ContractRecord = RecordOf<typeof contract>
type Action = 'cancel' | 'resend' | 'changeCountersigner'

const BACK = { label: 'Contracts', to: CONTRACT_PATHS.list }

/** Page of one contract for the employee, the countersigner and human resources. */
export default function ViewContract() {
  const { id } = useParams()
  const found = useApiRecord(contract, id)
  usePageTitle(found.data?.title)
  if (found.data) return <OneContract record={found.data} />
  return (
    <Page title="Contract" back={BACK}>
      {found.error ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <LoadingRows rows={10} />
      )}
    </Page>
  )
}

function OneContract({ record }: { readonly record: ContractRecord }) {
  const queryClient = useQueryClient()
  const url = iriOf(contract, record.id)
  const party = useQuery({ queryKey: [url, 'party'], ...urlQueryOptions<ContractParty>(`${url}/party`) }).data?.party
  const { original } = useActor()
  const isUnsigned = UNSIGNED_STATES.some((one) => one === record.state)
  const isOpening = party === 'employee' && isUnsigned && !record.openedAt && !original
  useEffect(() => {
    // If this request fails, the contract can still be read and signed, so the error is ignored.
    if (isOpening) callApi('POST', `${url}/opened`, {}, { byItself: true }).catch(() => undefined)
  }, [isOpening, url])
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: [contract.url] })
    void invalidateLists(queryClient, contract)
  }
  const step =
    party === 'employee' && isUnsigned
      ? 'sign'
      : party === 'countersigner' && record.state === 'signed'
        ? 'countersign'
        : undefined
  return (
    <Page
      title={record.title}
      beside={<ContractStatus state={record.state} />}
      back={{ label: 'Contracts', to: getListReturnPath(CONTRACT_PATHS.list) }}
      actions={<ContractActions record={record} onChanged={refresh} />}
    >
      <Facts record={record} />
      <ContractSheet contract={record} />
      {record.signature && (
        <section className={layout.card} aria-labelledby="signatures">
          <h2 id="signatures">Signatures</h2>
          <div className={css.signatures}>
            <Signature side="Employee" signature={record.signature} />
            {record.countersignature ? (
              <Signature side="For the company" signature={record.countersignature} />
            ) : (
              <Text>{record.countersigner.name} has not countersigned yet.</Text>
            )}
          </div>
        </section>
      )}
      {step &&
        (original ? (
          <Text>{FORBIDDEN_DURING_IMPERSONATION_MESSAGE}</Text>
        ) : (
          <SignContract
            key={step}
            at={url}
            digest={record.digest}
            name={step === 'sign' ? record.employeeName : record.countersigner.name}
            step={step}
            statement={
              step === 'sign'
                ? `By signing, you agree to contract ${record.number} as shown above.`
                : `By countersigning, you agree for the company to contract ${record.number} with ${record.employeeName} as shown above.`
            }
            onDone={refresh}
          />
        ))}
    </Page>
  )
}

function Facts({ record }: { readonly record: ContractRecord }) {
  const rows: readonly (readonly [string, ReactNode])[] = [
    ['Number', record.number],
    ['Employee', record.employeeName],
    ['Countersigned by', record.countersigner.name],
    ['Sent', formatIsoAsUkDateTime(record.createdAt)],
    [
      'E-mail',
      record.email
        ? `${record.email}${record.emailedAt ? `, sent on ${formatIsoAsUkDateTime(record.emailedAt)}` : ', not sent yet'}`
        : '',
    ],
    ['Sign by', formatIsoAsUkDate(record.signUntil)],
    ['Opened', record.openedAt && formatIsoAsUkDateTime(record.openedAt)],
    ['Signed', record.signedAt && formatIsoAsUkDateTime(record.signedAt)],
    ['Countersigned', record.countersignedAt && formatIsoAsUkDateTime(record.countersignedAt)],
    ['Ended', record.endedAt && formatIsoAsUkDateTime(record.endedAt)],
    ['Reason', record.reason],
  ]
  return (
    <section className={layout.card} aria-label="Details">
      <dl className={facts.facts}>
        {rows.map(([label, value]) => value && [<dt key={label}>{label}</dt>, <dd key={`${label} value`}>{value}</dd>])}
      </dl>
    </section>
  )
}

const Signature = ({ side, signature }: { readonly side: string; readonly signature: ContractSignature }) => (
  <div>
    <Text size="sm">{side}</Text>
    <StoredSignature strokes={signature} name={signature.name} />
    <Text size="sm">{`${signature.name}, ${formatIsoAsUkDateTime(signature.at)}${signature.email ? ', by link' : ''}`}</Text>
  </div>
)

const ACTIONS: Readonly<Record<Action, { readonly title: string; readonly action: string; readonly done: string }>> = {
  resend: { title: 'Send again', action: 'Send again', done: 'The contract is sent again' },
  changeCountersigner: { title: 'Change countersigner', action: 'Change', done: 'The countersigner is changed' },
  cancel: { title: 'Cancel contract', action: 'Cancel contract', done: 'The contract is cancelled' },
}

interface ActionsProps {
  readonly record: ContractRecord
  readonly onChanged: () => void
}

/** PDF of a complete contract, and the actions of human resources. */
function ContractActions({ record, onChanged }: ActionsProps) {
  const actor = useActor()
  const [open, setOpen] = useState<Action>()
  const [isBusy, setBusy] = useState(false)
  const url = iriOf(contract, record.id)
  const close = () => setOpen(undefined)
  const showPdf = async () => {
    setBusy(true)
    await openPdf(`${url}/contract.pdf`).catch((e: unknown) => toast.failed(e))
    setBusy(false)
  }
  const spec = open && contract.actions?.[open]
  const form: Resource | undefined = spec && { ...contract, url: `${url}/${spec.path}`, fields: spec.input }
  return (
    <>
      {record.state === 'complete' && (
        <Button loading={isBusy} leftSection={<IconFileTypePdf size={16} aria-hidden />} onClick={() => void showPdf()}>
          Open PDF
        </Button>
      )}
      {(Object.keys(ACTIONS) as Action[])
        .filter((name) => canRunActionInState(actor, name, contract, record.state))
        .map((name) => (
          <Button key={name} variant="default" onClick={() => setOpen(name)}>
            {ACTIONS[name].title}
          </Button>
        ))}
      {open && form && (
        <Dialog opened onClose={close} title={ACTIONS[open].title}>
          <ResourceForm
            resource={form}
            decided
            action={ACTIONS[open].action}
            onCancel={close}
            onSaved={() => {
              toast.info(ACTIONS[open].done, 'safe')
              onChanged()
              close()
            }}
          />
        </Dialog>
      )}
    </>
  )
}
