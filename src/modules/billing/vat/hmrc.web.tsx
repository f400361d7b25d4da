import { Alert, Anchor, Button, Checkbox, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { formatPounds } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { ResponsiveNumberTable } from '#web/charts/figure-table.tsx'
import { deviceStorage } from '#web/offline/browser-storage.ts'
import { DialogActions } from '#web/ui/dialog.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { useBillingUrls } from '../billing-urls.web.ts'
import {
  buildHmrcReturn,
  HMRC_DECLARATION,
  HMRC_FIGURES,
  type HmrcBrowserFacts,
  type HmrcObligation,
  type HmrcStatus,
} from './hmrc.ts'
import type { VatReturnRecord } from './parts.web.tsx'
import { VAT_BOX_TITLES, VAT_BOXES, type VatFigures, type VatReturnFigures } from './vat-return.ts'

const HMRC_URL = '/api/financial/hmrc'
const FIRST_WHOLE_POUND_BOX = 6

const deviceId = deviceStorage.text('hmrc-device')

/** Facts that HMRC requires and only the browser knows. */
export function readBrowserFacts(): HmrcBrowserFacts {
  const known = deviceId.read() ?? crypto.randomUUID()
  deviceId.write(known)
  return {
    // Without storage there is no lasting identifier to state.
    ...(deviceId.read() === known ? { deviceId: known } : {}),
    userAgent: navigator.userAgent,
    timezone: Temporal.Now.zonedDateTimeISO().offset,
    screen: {
      width: screen.width,
      height: screen.height,
      scalingFactor: devicePixelRatio,
      colourDepth: screen.colorDepth,
    },
    window: { width: innerWidth, height: innerHeight },
  }
}

export const useHmrcStatus = () => useQuery({ queryKey: [HMRC_URL], ...urlQueryOptions<HmrcStatus>(HMRC_URL) })

/** The connection to HMRC, with the periods that HMRC expects. */
export function HmrcConnectionCard() {
  const queries = useQueryClient()
  const { data: status } = useHmrcStatus()
  const [busy, setBusy] = useState(false)
  if (!status) return null
  const act = async (work: () => Promise<unknown>) => {
    setBusy(true)
    await work().catch((e: unknown) => toast.failed(e))
    setBusy(false)
  }
  const connect = () =>
    act(async () => {
      const { url } = await callApi<{ url: string }>('POST', `${HMRC_URL}/sign_in`, {})
      location.assign(url)
    })
  const disconnect = () =>
    act(async () => {
      await callApi('POST', `${HMRC_URL}/disconnect`, {})
      await queries.invalidateQueries()
    })
  return (
    <section className={page.card} aria-labelledby="hmrc">
      <Stack gap="sm">
        <Title order={2} size="h4" id="hmrc">
          Making Tax Digital
        </Title>
        <Text size="sm">
          {status.connected && status.connectedAt ? (
            <>
              Connected to HMRC by <PersonName username={status.connectedBy} />,{' '}
              {formatIsoDateAsUk(status.connectedAt.slice(0, 10))}. You can also withdraw the authority in your HMRC
              account.
            </>
          ) : (
            status.missing
          )}
        </Text>
        {status.connected && status.missing && <ErrorText>{status.missing}</ErrorText>}
        {status.connected && !status.missing && <OpenPeriods />}
        {status.configured && (
          <Group gap="sm">
            {status.connected ? (
              <Button variant="default" loading={busy} onClick={() => void disconnect()}>
                Disconnect from HMRC
              </Button>
            ) : (
              <Button variant="default" loading={busy} disabled={!status.vrn} onClick={() => void connect()}>
                Connect to HMRC
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </section>
  )
}

function OpenPeriods() {
  const [isShown, setIsShown] = useState(false)
  const listed = useQuery({
    queryKey: [`${HMRC_URL}/obligations`],
    queryFn: () =>
      callApi<Collection<HmrcObligation>>('POST', `${HMRC_URL}/obligations`, { browser: readBrowserFacts() }),
    enabled: isShown,
    retry: false,
  })
  if (!isShown)
    return (
      <Anchor component="button" size="sm" ta="left" onClick={() => setIsShown(true)}>
        Show the periods that HMRC expects
      </Anchor>
    )
  if (listed.isError) return <ErrorState error={listed.error} onRetry={() => void listed.refetch()} />
  const periods = listed.data?.['hydra:member']
  if (!periods) return <LoadingRows rows={2} />
  if (!periods.length) return <Text size="sm">HMRC expects no return at the moment.</Text>
  return (
    <ResponsiveNumberTable
      label="Periods that HMRC expects"
      head="Period"
      columns={['Due']}
      rows={periods.map(({ periodKey, start, end, due }) => ({
        key: periodKey,
        name: `${formatIsoDateAsUk(start)} to ${formatIsoDateAsUk(end)}`,
        cells: [formatIsoDateAsUk(due)],
      }))}
    />
  )
}

/** Receives the authority from HMRC's sign-in. */
export default function HmrcConnectedPage() {
  const places = useBillingUrls()
  const [query] = useSearchParams()
  const [code, state] = [query.get('code') ?? '', query.get('state') ?? '']
  const connecting = useQuery({
    queryKey: [HMRC_URL, code],
    queryFn: () => callApi<HmrcStatus>('POST', `${HMRC_URL}/connect`, { code, state }),
    enabled: code !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const back = { label: 'VAT returns', to: places.vatReturns }
  return (
    <Page title="Connect to HMRC" back={back}>
      {code === '' ? (
        <Text>HMRC gave no authority. Nothing was changed.</Text>
      ) : connecting.isError ? (
        <ErrorText>{errorSentence(connecting.error)}</ErrorText>
      ) : connecting.data ? (
        <Text>
          Connected to HMRC for VAT number {connecting.data.vrn}.{' '}
          <Anchor component={Link} to={places.vatReturns} inherit>
            Continue to VAT returns
          </Anchor>
        </Text>
      ) : (
        <LoadingRows rows={2} />
      )}
    </Page>
  )
}

/** State of a return at HMRC: a refusal, an unconfirmed return with its next step, or the receipt. */
export function HmrcOutcome({ of, onChange }: { readonly of: VatReturnRecord; readonly onChange: () => void }) {
  const [busy, setBusy] = useState(false)
  const check = async () => {
    setBusy(true)
    await callApi('POST', `${of['@id']}/check`, { browser: readBrowserFacts() }).catch((e: unknown) => toast.failed(e))
    setBusy(false)
    onChange()
  }
  if (of.state === 'sending')
    return (
      <Alert color="yellow" title="Sent to HMRC, not confirmed">
        <Stack gap="sm" align="start">
          <Text size="sm">
            {of.submissionMessage || 'HMRC’s answer is missing. It is not known whether HMRC has received the return.'}
          </Text>
          <Button loading={busy} onClick={() => void check()}>
            Check with HMRC
          </Button>
        </Stack>
      </Alert>
    )
  if (of.state === 'draft')
    return of.submissionMessage ? (
      <Alert color="red" title="Not filed with HMRC">
        {of.submissionMessage}
      </Alert>
    ) : null
  if (!of.receipt) return of.submissionMessage ? <Text size="sm">{of.submissionMessage}</Text> : null
  const { processingDate, formBundleNumber, paymentIndicator, chargeRefNumber } = of.receipt
  return (
    <section className={page.card} aria-labelledby="receipt">
      <Title order={2} size="h4" id="receipt">
        HMRC’s receipt
      </Title>
      <ResponsiveNumberTable
        label="HMRC’s receipt"
        head="Receipt"
        columns={['Value']}
        rows={[
          { key: 'form', name: 'Form bundle number', cells: [formBundleNumber || 'Not stated'] },
          { key: 'processed', name: 'Processed', cells: [formatIsoDateAsUk(processingDate.slice(0, 10))] },
          {
            key: 'payment',
            name: 'Payment',
            cells: [PAYMENTS[paymentIndicator] ?? (paymentIndicator || 'Not stated')],
          },
          { key: 'charge', name: 'Charge reference', cells: [chargeRefNumber || 'None'] },
        ]}
      />
    </section>
  )
}

const PAYMENTS: Readonly<Record<string, string>> = { DD: 'By direct debit', BANK: 'Bank account known to HMRC' }

interface FilingProps {
  readonly of: VatReturnRecord
  readonly boxes: VatReturnFigures['boxes']
  readonly onDone: () => void
  readonly onCancel: () => void
}

/** The nine boxes as HMRC will receive them, with the legal declaration. */
export function HmrcFilingForm({ of, boxes, onDone, onCancel }: FilingProps) {
  const [declared, setDeclared] = useState(false)
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const figures = Object.fromEntries(boxes.map(({ box, amount }) => [box, amount])) as VatFigures
  const sent = buildHmrcReturn('', figures)
  const file = async () => {
    setBusy(true)
    try {
      const body = { netVatDue: figures[5], declared, browser: readBrowserFacts() }
      const { state } = await callApi<VatReturnRecord>('POST', `${of['@id']}/submit`, body)
      if (state === 'filed') toast.info('VAT return filed with HMRC', 'safe')
      onDone()
    } catch (e) {
      setError(e)
    }
    setBusy(false)
  }
  return (
    <>
      <Stack>
        {error !== undefined && <ErrorText>{errorSentence(error)}</ErrorText>}
        <ResponsiveNumberTable
          label="Boxes as sent to HMRC"
          head="Box"
          columns={['Amount']}
          rows={VAT_BOXES.map((box) => ({
            key: String(box),
            // Long titles wrap, so that no amount is cut off.
            name: (
              <Text span inherit style={{ whiteSpace: 'normal' }}>
                {box}. {VAT_BOX_TITLES[box]}
              </Text>
            ),
            cells: [formatSent(box, sent[HMRC_FIGURES[box - 1] ?? 'netVatDue'])],
          }))}
        />
        <Text size="sm">
          If HMRC accepts the return, the figures are frozen and the books are closed up to {formatIsoDateAsUk(of.to)}.
          This can’t be undone.
        </Text>
        <Checkbox
          label={HMRC_DECLARATION}
          checked={declared}
          onChange={(e) => setDeclared(e.currentTarget.checked)}
          required
        />
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button loading={busy} disabled={!declared} onClick={() => void file()}>
          File with HMRC
        </Button>
      </DialogActions>
    </>
  )
}

const PENNIES_PER_POUND = 100

const formatSent = (box: number, amount: number) => {
  const text = formatPounds(Math.round(amount * PENNIES_PER_POUND))
  return box < FIRST_WHOLE_POUND_BOX ? text : text.replace(/[.]00$/, '')
}
