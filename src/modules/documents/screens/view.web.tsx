import { Alert, Button } from '@mantine/core'
import { IconEye, IconEyeOff, IconFileTypePdf, IconSparkles } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useParams } from 'react-router'
import { hasRole } from '#kernel/roles.ts'
import { ApiError } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { openPdf } from '#web/api/pdf.ts'
import { listReturnPath } from '#web/lists/pager/list-position.ts'
import { useChanged } from '#web/shell/bell/changed.ts'
import { useTitle } from '#web/shell/pages/title.ts'
import { lazily } from '#web/ui/lazily.tsx'
import page from '#web/ui/page.module.css'
import { WayBack } from '#web/ui/page.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { AwaitedPart, RevealTogether } from '#web/ui/reveal-together.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import { Advice } from '../advice/of-document.web.tsx'
import { Seals } from '../audit-chain/seals.web.tsx'
import { useRecordForm } from '../forms/record-form.web.ts'
import { KeptPrints } from '../printing/kept-prints.web.tsx'
import { RecordPaper } from '../printing/record-paper.web.tsx'
import { WhereUsed } from '../references/where-used.web.tsx'
import { reasonsOf } from '../review/asked.ts'
import { AUTHORS } from '../rights.ts'
import { Sendings } from '../sending/sendings.web.tsx'
import { SignHere } from '../signing/sign-here.web.tsx'
import { Signatures } from '../signing/signatures.web.tsx'
import { ChangedSince } from '../signoff/changed-since.web.tsx'
import { SignOffProgress } from '../signoff/progress.web.tsx'
import { improvementsOptions } from '../template-updates/improvement-query.web.ts'
import { audienceLabel } from '../types/audience.ts'
import { DocumentChips } from '../types/chips.web.tsx'
import type { KindParts, ScreenProps } from '../types/kind.web.ts'
import { useMissing } from '../types/missing.web.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import { clientOf, mayOf, numberFor, titleOf, useRecord, useRefresh } from '../types/record.web.ts'
import { AskedBand } from './asked-band.web.tsx'
import { History } from './history.web.tsx'
import { NewerBand } from './newer.web.tsx'
import { RowActions } from './row-actions.web.tsx'
import { StateBand } from './state-band.web.tsx'
import css from './view.module.css'

const Improvements = lazily(() => import('../template-updates/improvements.web.tsx'))

interface Props {
  readonly parts: KindParts
  readonly record: DocumentRecord
}

/** Banner: the template of this document has been updated, with a link to the changes. */
function ImprovedBand({ parts, record }: Props) {
  const actor = useActor()
  const { write, revise } = mayOf(parts.kind, actor, record)
  const own = clientOf(record) === actor.clientId
  const found = useQuery({ ...improvementsOptions(record.id), enabled: own && (write || revise) })
  const [open, setOpen] = useState(false)
  const template = found.data?.template
  if (!found.data || !template) return null
  return (
    <section className={css.band} data-meaning="info" aria-label="Template updated">
      <p className={css.says}>
        {`“${template.title}”, the template of this document, has been updated${template.reason && `: ${template.reason}`}.`}
      </p>
      <Button variant="default" leftSection={<IconSparkles size={16} aria-hidden />} onClick={() => setOpen(true)}>
        View changes
      </Button>
      {open && (
        <Suspense>
          <Improvements parts={parts} record={record} found={found.data} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </section>
  )
}

/** Reasons why a review was requested. Renders nothing if it was not. */
function ReviewAsked({ record }: { readonly record: Pick<DocumentRecord, 'reviewAsked'> }) {
  const reasons = reasonsOf(record)
  if (!reasons.length) return null
  return (
    <section className={page.card} aria-labelledby="review-asked">
      <h2 id="review-asked">Review requested</h2>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </section>
  )
}

const PackLinks = lazily(() => import('../sharing/links.web.tsx'))

/** Page of a document: content, status, signatures and history. */
export default function View({ parts }: ScreenProps) {
  const { kind, Beside } = parts
  const { slug } = useParams()
  const actor = useActor()
  const { record, error, refetch } = useRecord(kind, slug)
  const refresh = useRefresh(kind)
  useChanged('document', record?.id, refresh)
  // Fetched early, as the sheet needs it.
  useRecordForm(kind, slug)
  // Doesn't navigate away from a user who is reading or signing.
  useMissing(parts, slug, record ? undefined : error)
  useTitle(record && `${record.documentNumber} ${titleOf(kind, record)}`)
  const pdf = () => record && void openPdf(`${record['@id']}/pdf`).catch((e: unknown) => toast.failed(e, pdf))
  return (
    <div className={page.page}>
      <WayBack to={listReturnPath(kind.screens.list)} label={kind.nav.title} />
      {record ? (
        <>
          <header className={page.head}>
            <div className={css.what}>
              <PageTitle>{titleOf(kind, record)}</PageTitle>
              <div className={css.about}>
                <strong>{numberFor(actor, record)}</strong>
                <span>{`Revision ${record.revision}`}</span>
                <DocumentChips record={record} />
                {record.audience.length > 0 && (
                  <StatusChip meaning="info" icon={IconEye}>
                    {`For: ${audienceLabel(record.audience)}`}
                  </StatusChip>
                )}
              </div>
            </div>
            <div className={page.buttons}>
              <Button variant="default" leftSection={<IconFileTypePdf size={16} aria-hidden />} onClick={pdf}>
                View PDF
              </Button>
              <RowActions parts={parts} record={record} opened />
            </div>
          </header>
          <OfflineNotice />
          {error instanceof ApiError && error.status === 404 && (
            <Alert color="yellow" role="status" icon={<IconEyeOff aria-hidden />} title="This is no longer in force">
              Or you no longer have access. It is shown as it was when you opened it.
            </Alert>
          )}
          <RevealTogether key={record.id} waiting={<LoadingRows rows={12} />}>
            <AskedBand parts={parts} record={record} />
            <StateBand parts={parts} record={record} />
            {hasRole(actor, AUTHORS) && record.current && <ReviewAsked record={record} />}
            {hasRole(actor, AUTHORS) && kind.references && <NewerBand kind={kind} record={record} />}
            {hasRole(actor, AUTHORS) && record.origin && <ImprovedBand parts={parts} record={record} />}
            <div className={css.halves}>
              <div className={css.read}>
                <ChangedSince parts={parts} record={record}>
                  <RecordPaper parts={parts} record={record} />
                </ChangedSince>
                <SignHere parts={parts} record={record} />
              </div>
              <div className={css.side}>
                <SignOffProgress kind={kind} record={record} />
                <Signatures parts={parts} record={record} />
                {Beside && (
                  <Suspense fallback={<AwaitedPart />}>
                    <Beside record={record} />
                  </Suspense>
                )}
                <WhereUsed parts={parts} record={record} />
                <History parts={parts} record={record} />
                {hasRole(actor, AUTHORS) && <Advice kind={kind} record={record} />}
                {hasRole(actor, AUTHORS) && (
                  <>
                    {kind.shared && (
                      <Suspense fallback={<AwaitedPart />}>
                        <PackLinks record={record} />
                      </Suspense>
                    )}
                    <Sendings record={record} />
                    <KeptPrints record={record} />
                    <Seals record={record} />
                  </>
                )}
              </div>
            </div>
          </RevealTogether>
        </>
      ) : (
        <>
          <PageTitle>{kind.schema.title}</PageTitle>
          {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={10} />}
        </>
      )}
    </div>
  )
}
