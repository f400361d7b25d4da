import { Alert, Anchor, Button, Group, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { formatPounds } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { useApiRecord, useList } from '#web/api/resources.ts'
import { ResponsiveNumberTable } from '#web/charts/figure-table.tsx'
import { DashboardSections } from '#web/dashboard/sections.tsx'
import { createMoneyInput } from '#web/forms/inputs/money-input.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import { useBillingUrls } from '../billing-urls.web.ts'
import { HmrcConnectionCard, HmrcFilingForm, HmrcOutcome, useHmrcStatus } from './hmrc.web.tsx'
import { VatBoxRows, VatFilingForm, VatReturnParts, type VatReturnRecord } from './parts.web.tsx'
import { type VatBox, type VatReturnFigures, vatAdjustment, vatReturn } from './vat-return.ts'

const periodOf = ({ from, to }: Pick<VatReturnRecord, 'from' | 'to'>) =>
  `${formatIsoDateAsUk(from)} to ${formatIsoDateAsUk(to)}`
const dayAfter = (iso: string) => Temporal.PlainDate.from(iso).add({ days: 1 })

/** VAT returns, or one of them. */
export default function VatPage() {
  const { id } = useParams()
  return id ? <OneReturn id={id} /> : <Returns />
}

const LIST = listUrlSchema({})

function Returns() {
  const places = useBillingUrls()
  const go = useNavigate()
  const [state, set] = useUrlState(LIST)
  const [adding, setAdding] = useState(false)
  const latest = useList(vatReturn, { itemsPerPage: 1 })
  const last = latest.data?.['hydra:member'][0]
  const start = last ? dayAfter(last.to) : undefined
  return (
    <Page
      title="VAT returns"
      actions={
        <Button onClick={() => setAdding(true)} disabled={latest.isPending}>
          New VAT return
        </Button>
      }
    >
      <DataList
        resource={vatReturn}
        label="VAT returns"
        state={state}
        onState={set}
        search={false}
        empty={<EmptyState title="No VAT returns yet">Create one for the period that you file next.</EmptyState>}
        columns={[
          { key: 'from', title: 'Period', link: true, render: (r) => periodOf(r) },
          {
            key: 'scheme',
            title: 'VAT scheme',
            render: (r) => (r.scheme === 'cash' ? 'Cash accounting' : 'By invoice date'),
          },
          { key: 'state', title: 'Status', tight: true, render: (r) => <State of={r} /> },
          {
            key: 'figures',
            title: 'Box 5',
            tight: true,
            render: (r) => (r.figures ? formatPounds(r.figures[5]) : '—'),
          },
          {
            key: 'filedOn',
            title: 'Filed on',
            tight: true,
            render: (r) => (r.filedOn ? formatIsoDateAsUk(r.filedOn) : '—'),
          },
        ]}
        href={(r) => places.vatReturn(r.id)}
      />
      <HmrcConnectionCard />
      <Dialog opened={adding} onClose={() => setAdding(false)} title="New VAT return" size="32rem">
        <ResourceForm
          resource={vatReturn}
          fields={['from', 'to', 'scheme']}
          defaults={
            last && start
              ? {
                  from: start.toString(),
                  to: start.add({ months: 3 }).subtract({ days: 1 }).toString(),
                  scheme: last.scheme,
                }
              : {}
          }
          action="Create VAT return"
          onCancel={() => setAdding(false)}
          onSaved={(saved) => void go(places.vatReturn(saved.id))}
        />
      </Dialog>
    </Page>
  )
}

const State = ({ of }: { readonly of: Pick<VatReturnRecord, 'state'> }) => (
  <StatusChip meaning={STATES[of.state].meaning}>{STATES[of.state].label}</StatusChip>
)
const STATES = {
  draft: { meaning: 'plain', label: 'Draft' },
  sending: { meaning: 'attention', label: 'Sent, not confirmed' },
  filed: { meaning: 'safe', label: 'Filed' },
} as const

function Filing({ of, on }: { readonly of: VatReturnRecord; readonly on: string }) {
  if (!of.receipt && of.submissionMessage) return ` Filed with HMRC on ${on}.`
  return (
    <>
      {of.receipt ? ` Filed with HMRC on ${on} by ` : ` Filed with HMRC by hand on ${on}, recorded by `}
      <PersonName username={of.receipt ? of.submittedBy : of.filedBy} />.
    </>
  )
}

const TYPED_AMOUNTS = ['purchaseVat', 'purchases', 'acquisitionVat', 'dispatches', 'acquisitions'] as const
const MONEY_INPUTS = Object.fromEntries([...TYPED_AMOUNTS, 'amount'].map((name) => [name, createMoneyInput()]))

type Asking = 'file' | 'hmrc' | 'edit' | 'adjust' | 'delete' | VatBox

function OneReturn({ id }: { readonly id: string }) {
  const places = useBillingUrls()
  const queries = useQueryClient()
  const go = useNavigate()
  const [asking, setAsking] = useState<Asking>()
  const one = useApiRecord(vatReturn, id)
  const of = one.data
  const url = `${vatReturn.url}/${id}/figures`
  const { data: hmrc } = useHmrcStatus()
  const figures = useQuery({ queryKey: [url], ...urlQueryOptions<VatReturnFigures>(url), refetchOnMount: 'always' })
  const close = () => setAsking(undefined)
  const refresh = () => {
    close()
    void queries.invalidateQueries()
  }
  const back = { label: 'VAT returns', to: getListReturnPath(places.vatReturns) }
  const error = one.error ?? figures.error
  if (!of || !figures.data)
    return (
      <Page title="VAT return" back={back}>
        {error ? <ErrorState error={error} onRetry={() => void queries.invalidateQueries()} /> : <LoadingRows />}
      </Page>
    )
  const { boxes, warnings, badDebts } = figures.data
  const isDraft = of.state === 'draft'
  const canSend = hmrc?.missing === ''
  const change = (method: 'POST' | 'DELETE', path: string, body?: Record<string, unknown>) =>
    callApi(method, path, body).then(refresh, (e: unknown) => toast.failed(e))
  return (
    <Page
      title={`VAT return, ${periodOf(of)}`}
      back={back}
      actions={
        of.state !== 'filed' && (
          <>
            <Button variant={isDraft && canSend ? 'default' : 'filled'} onClick={() => setAsking('file')}>
              Record as filed
            </Button>
            {isDraft && canSend && <Button onClick={() => setAsking('hmrc')}>File with HMRC</Button>}
          </>
        )
      }
    >
      <DashboardSections>
        <Group gap="sm">
          <State of={of} />
          <Text size="sm">
            {of.scheme === 'cash' ? 'Cash accounting: VAT by payments received.' : 'VAT by invoice date.'}
            {of.filedOn && <Filing of={of} on={formatIsoDateAsUk(of.filedOn)} />}
            {isDraft && hmrc?.missing && ` ${hmrc.missing}`}
          </Text>
        </Group>
        <HmrcOutcome of={of} onChange={refresh} />
        {warnings.length > 0 && (
          <Alert color="yellow" title="Check before filing">
            {warnings.map((one) => (
              <div key={one}>{one}</div>
            ))}
          </Alert>
        )}
        <section className={page.card} aria-labelledby="boxes">
          <Title order={2} size="h4" id="boxes">
            Boxes
          </Title>
          <Text size="sm" c="dimmed">
            Sales are calculated from your invoices, credit notes and payments. The portal does not know your purchases
            {isDraft ? ': type them by hand.' : ': they were typed by hand.'}
          </Text>
          <ResponsiveNumberTable
            label="Boxes of the VAT return"
            head="Box"
            columns={['Amount']}
            rows={boxes.map(({ box, title, amount }) => ({
              key: String(box),
              name: `${box}. ${title}`,
              cells: [
                <Anchor
                  key="amount"
                  component="button"
                  inherit
                  aria-label={`${formatPounds(amount)}, rows of box ${box}`}
                  onClick={() => setAsking(box)}
                >
                  {formatPounds(amount)}
                </Anchor>,
              ],
            }))}
          />
          {isDraft && (
            <Group gap="sm" mt="md">
              <Button variant="default" onClick={() => setAsking('edit')}>
                Enter purchases
              </Button>
              <Button variant="default" onClick={() => setAsking('adjust')}>
                Add adjustment
              </Button>
              <Button variant="subtle" color="red" onClick={() => setAsking('delete')}>
                Delete draft
              </Button>
            </Group>
          )}
        </section>
        <VatReturnParts of={of} badDebts={badDebts} isDraft={isDraft} onChange={change} />
      </DashboardSections>
      <Dialog opened={typeof asking === 'number'} onClose={close} title={`Rows of box ${asking}`} size="44rem">
        {typeof asking === 'number' && <VatBoxRows of={of} box={asking} />}
      </Dialog>
      <Dialog opened={asking === 'edit'} onClose={close} title="Purchases and other figures" size="32rem">
        <ResourceForm
          resource={vatReturn}
          record={of}
          fields={[...TYPED_AMOUNTS, 'scheme', 'notes']}
          inputs={MONEY_INPUTS}
          action="Save figures"
          onCancel={close}
          onSaved={refresh}
        />
      </Dialog>
      <Dialog opened={asking === 'adjust'} onClose={close} title="Add an adjustment" size="32rem">
        <ResourceForm
          resource={vatAdjustment}
          fields={['box', 'amount', 'reason']}
          extra={{ vatReturn: of['@id'] }}
          inputs={MONEY_INPUTS}
          action="Add adjustment"
          onCancel={close}
          onSaved={refresh}
        />
      </Dialog>
      <Dialog opened={asking === 'delete'} onClose={close} title="Delete this draft" size="28rem">
        <Text size="sm">
          The draft, its adjustments and its claims will be deleted. Your documents are not changed.
        </Text>
        <DialogActions>
          <Button variant="default" onClick={close}>
            Keep draft
          </Button>
          <Button
            color="red"
            onClick={() =>
              callApi('DELETE', of['@id']).then(
                () => void go(places.vatReturns),
                (e: unknown) => toast.failed(e),
              )
            }
          >
            Delete draft
          </Button>
        </DialogActions>
      </Dialog>
      <Dialog opened={asking === 'hmrc'} onClose={close} title="File this return with HMRC" size="44rem">
        <HmrcFilingForm of={of} boxes={boxes} onDone={refresh} onCancel={close} />
      </Dialog>
      <Dialog opened={asking === 'file'} onClose={close} title="Record this return as filed" size="32rem">
        <VatFilingForm
          of={of}
          due={boxes.find(({ box }) => box === 5)?.amount ?? 0}
          onDone={refresh}
          onCancel={close}
        />
      </Dialog>
    </Page>
  )
}
