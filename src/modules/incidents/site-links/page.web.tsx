import { Text } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'react-router'
import { callApi } from '#web/api/client.ts'
import { VISITOR_DRAFT_PREFIX } from '#web/offline/owner.ts'
import { PublicLinkPage } from '#web/shell/pages/link-page.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { useSingleFlight } from '#web/ui/use-single-flight.ts'
import { type ReportDraft, toVisitorBody } from '../phone/report-draft.ts'
import { ReportSteps, ReportSummary } from '../phone/report-steps.web.tsx'
import { useReportDraft, useStoredReport } from '../phone/use-report-draft.web.ts'
import type { SharedSite, SiteReportReceipt } from './site-link.ts'

/** Public page for the QR code of a site: a visitor reports an accident or a near miss without an account. */
export default function SiteReportPage() {
  const { token = '' } = useParams()
  const at = `/api/safety/shared_sites/${token}`
  return (
    <PublicLinkPage<SharedSite>
      at={at}
      title="Report an accident or a near miss"
      titleOf={({ sentence, site }) => (sentence ? undefined : `Report an accident or a near miss at ${site}`)}
      closedTitle="Nothing can be reported here"
      narrow
    >
      {({ company, requiredAnswers, sentence }) => (
        <StoredVisitorReport
          at={at}
          token={token}
          company={company}
          required={requiredAnswers}
          isClosed={sentence !== ''}
        />
      )}
    </PublicLinkPage>
  )
}

interface Props {
  readonly at: string
  readonly token: string
  readonly company: string
  readonly required: readonly string[]
  /** True if nothing can be reported with the link. */
  readonly isClosed: boolean
}

function StoredVisitorReport(props: Props) {
  // The secret, the last part of the token, is not stored in the browser.
  const storeKey = `${VISITOR_DRAFT_PREFIX}site-report/${props.token.split('-').slice(0, 2).join('-')}`
  const stored = useStoredReport(storeKey)
  return stored === undefined ? (
    <LoadingRows rows={6} />
  ) : (
    <VisitorReport {...props} storeKey={storeKey} stored={stored} />
  )
}

function VisitorReport({
  at,
  company,
  required,
  isClosed,
  storeKey,
  stored,
}: Props & { readonly storeKey: string; readonly stored: ReportDraft | null }) {
  const { draft, change, finish } = useReportDraft(storeKey, stored, false)
  const [receipt, setReceipt] = useState<SiteReportReceipt>()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const send = useSingleFlight(async () => {
    setError('')
    setBusy(true)
    try {
      const sent = await callApi<SiteReportReceipt>('POST', `${at}/reports`, toVisitorBody(draft, required))
      await finish()
      setReceipt(sent)
    } catch (e) {
      setError(`Your report has not been sent, and stays here until you close this tab. ${errorSentence(e)}`)
      setBusy(false)
    }
  })
  if (receipt)
    return (
      <Text role="status" fw={650}>
        {`Thank you. ${company} has received your report as ${receipt.number}. You can close this page.`}
      </Text>
    )
  if (isClosed) return draft.description ? <UnsentReport draft={draft} /> : null
  return (
    <>
      <label>
        <input
          type="checkbox"
          checked={draft.nearMiss}
          onChange={(e) => change({ nearMiss: e.currentTarget.checked, severity: null, injured: '' })}
        />
        {' Nobody was hurt, but a person could have been (near miss)'}
      </label>
      <ReportSteps
        draft={draft}
        onChange={change}
        reporter="visitor"
        sites={[]}
        photoCount={0}
        required={required}
        busy={busy}
        error={error}
        onSend={() => void send()}
      />
      <Text size="sm">{`${company} stores what you enter here. Only people who need it to look after the injured and to investigate can read it.`}</Text>
    </>
  )
}

/** Report that was written but not sent before the link was closed, to copy or show. */
function UnsentReport({ draft }: { readonly draft: ReportDraft }) {
  return (
    <section aria-labelledby="unsent">
      <h2 id="unsent">Your report has not been sent</h2>
      <Text mb="md">It stays here until you close this tab, so that you can copy it or show it.</Text>
      <ReportSummary draft={draft} sites={[]} photoCount={0} hasPhotos={false} />
    </section>
  )
}
