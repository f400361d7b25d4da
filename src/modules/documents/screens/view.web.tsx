import { Alert, Button, Text } from '@mantine/core'
import { IconEye, IconEyeOff, IconFileTypePdf, IconSparkles } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import { useParams } from 'react-router'
import { iriOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { toText } from '#kernel/text.ts'
import { describeDelivery, type EmailDelivery } from '#modules/crm/mail/message.ts'
import { ConfidentialReadsOfRecord } from '#modules/identity/confidential-reads/of-record.web.tsx'
import { ApiError } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { usePersonNames } from '#web/api/names.ts'
import { openPdf } from '#web/api/pdf.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { useRecordChange } from '#web/shell/bell/record-changes.ts'
import { usePageTitle } from '#web/shell/pages/title.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import page from '#web/ui/page.module.css'
import { BackLink } from '#web/ui/page.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { LazyComponentPlaceholder, SimultaneousReveal } from '#web/ui/reveal-together.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import { DocumentAdvice } from '../advice/of-document.web.tsx'
import { DocumentSeals } from '../audit-chain/seals.web.tsx'
import { BundledDocumentChanges, useChangesSinceSigned } from '../comparison/bundled-changes.web.tsx'
import { RevisionChanges } from '../comparison/changes.web.tsx'
import { useRecordForm } from '../forms/record-form.web.ts'
import { openDocumentPdf } from '../packs/print-together.web.ts'
import dialogs from '../printing/dialogs.module.css'
import { StoredDocumentSheet } from '../printing/record-paper.web.tsx'
import { WhereUsedSection } from '../references/where-used.web.tsx'
import { reviewReasons } from '../review/request-review.ts'
import { DocumentParts, partHeadingId } from '../signing/parts.web.tsx'
import { SigningSection } from '../signing/sign-here.web.tsx'
import { SignatureList } from '../signing/signatures.web.tsx'
import { useOwnRequestedSignatures } from '../signoff/own-requests.web.ts'
import { SignOffProgress } from '../signoff/progress.web.tsx'
import { templateUpdatesQueryOptions } from '../template-updates/improvement-query.web.ts'
import { audienceLabel } from '../types/audience.ts'
import { DocumentChips } from '../types/chips.web.tsx'
import { document, documentPrint, documentSending } from '../types/document.ts'
import type { DocumentScreenProps, DocumentTypeComponents } from '../types/kind.web.ts'
import {
  clientIdOf,
  type DocumentRecord,
  displayedDocumentNumber,
  documentPermissions,
  documentTitleOrUntitled,
  useDocumentRecord,
  useRefetchDocument,
} from '../types/record.web.ts'
import { useMissingDocumentRedirect } from '../types/use-missing-document.web.ts'
import { RevisionHistory } from './history.web.tsx'
import { OutdatedReferencesBanner } from './outdated-references.web.tsx'
import { DocumentRowActions } from './row-actions.web.tsx'
import { SignatureRequestBanner } from './signature-request-band.web.tsx'
import { DocumentStatusBanner } from './state-band.web.tsx'
import css from './view.module.css'

const Improvements = lazyComponent(() => import('../template-updates/improvements.web.tsx'))

interface Props {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
}

/** Banner if this document's template has been updated, with a link to the changes. */
function TemplateUpdateBand({ parts, record }: Props) {
  const actor = useActor()
  const { write, revise } = documentPermissions(parts.kind, actor, record)
  const own = clientIdOf(record) === actor.clientId
  const found = useQuery({ ...templateUpdatesQueryOptions(record.id), enabled: own && (write || revise) })
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

/** Reasons why a review was requested. Renders nothing if no review was requested. */
function ReviewRequestReasons({ record }: { readonly record: Pick<DocumentRecord, 'reviewAsked'> }) {
  const reasons = reviewReasons(record)
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

const PackLinks = lazyComponent(() => import('../sharing/links.web.tsx'))

/** Page of a document: content, status, signatures and history. */
export default function DocumentPage({ parts }: DocumentScreenProps) {
  const { kind, Beside } = parts
  const { slug } = useParams()
  const actor = useActor()
  const { record, error, refetch } = useDocumentRecord(kind, slug)
  const refresh = useRefetchDocument(kind)
  useRecordChange('document', record?.id, refresh)
  // Loads the form early, because the sheet needs it.
  useRecordForm(kind, slug)
  // Redirects only if no document is shown. A user who is reading or signing a document stays on the page even if the
  // document disappears.
  useMissingDocumentRedirect(parts, slug, record ? undefined : error)
  usePageTitle(record && `${record.documentNumber} ${documentTitleOrUntitled(kind, record)}`)
  const [openParts, setOpenParts] = useState<ReadonlySet<string>>(new Set())
  const openPart = (iri: string) => {
    flushSync(() => setOpenParts(new Set([...openParts, iri])))
    globalThis.document.getElementById(partHeadingId(iri))?.focus()
  }
  const writes = hasRole(actor, kind.roles.authors)
  const isSafety = kind.pack === 'safety'
  const pdf = () => record && void openDocumentPdf(kind, record).catch((e: unknown) => toast.failed(e, pdf))
  return (
    <div className={page.page}>
      <BackLink to={getListReturnPath(kind.screens.list)} label={kind.nav.title} />
      {record ? (
        <>
          <header className={page.head}>
            <div className={css.what}>
              <PageTitle>{documentTitleOrUntitled(kind, record)}</PageTitle>
              <div className={css.about}>
                <strong>{displayedDocumentNumber(actor, record)}</strong>
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
              <DocumentRowActions parts={parts} record={record} opened />
            </div>
          </header>
          <OfflineNotice />
          {error instanceof ApiError && error.status === 404 && (
            <Alert
              color="yellow"
              role="status"
              icon={<IconEyeOff aria-hidden />}
              title="This document is no longer available"
            >
              The document is no longer in force, or you no longer have access. It is shown as it was when you opened
              it.
            </Alert>
          )}
          <SimultaneousReveal key={record.id} waiting={<LoadingRows rows={12} />}>
            <SignatureRequestBanner parts={parts} record={record} />
            <DocumentStatusBanner parts={parts} record={record} />
            {writes && record.current && <ReviewRequestReasons record={record} />}
            {writes && kind.references && <OutdatedReferencesBanner kind={kind} record={record} />}
            {writes && isSafety && (record.current || record.state === 'draft') && (
              <TemplateUpdateBand parts={parts} record={record} />
            )}
            <div className={css.halves}>
              <div className={css.read}>
                <ChangesSinceSigned parts={parts} record={record}>
                  <StoredDocumentSheet parts={parts} record={record} />
                </ChangesSinceSigned>
                <DocumentParts parts={parts} record={record} open={openParts} onOpen={setOpenParts} />
                <SigningSection parts={parts} record={record} onOpenPart={openPart} />
              </div>
              <div className={css.side}>
                <SignOffProgress kind={kind} record={record} />
                <SignatureList parts={parts} record={record} />
                {Beside && (
                  <Suspense fallback={<LazyComponentPlaceholder />}>
                    <Beside record={record} />
                  </Suspense>
                )}
                {isSafety && <WhereUsedSection parts={parts} record={record} />}
                <RevisionHistory parts={parts} record={record} />
                {writes && isSafety && <DocumentAdvice kind={kind} record={record} />}
                {writes && (
                  <>
                    {kind.shared && (
                      <Suspense fallback={<LazyComponentPlaceholder />}>
                        <PackLinks kind={kind} record={record} />
                      </Suspense>
                    )}
                    <DocumentSendingLog record={record} />
                    <StoredPrints record={record} />
                    <DocumentSeals record={record} />
                  </>
                )}
                {(record.signatures ?? 0) > 0 && <ConfidentialReadsOfRecord record={iriOf(document, record.id)} />}
              </div>
            </div>
          </SimultaneousReveal>
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

/**
 * Recipients of this revision, latest first, with the delivery status of each e-mail. Recipients whose request was
 * answered have no e-mail. Renders nothing if the revision has no recipients.
 */
function DocumentSendingLog({ record }: { readonly record: DocumentRecord }) {
  const list = useList(documentSending, { document: iriOf(document, record.id), itemsPerPage: 100 })
  const sent = list.data?.['hydra:member'] ?? []
  const nameOf = usePersonNames(sent.map((s) => s.author))
  const more = (list.data?.['hydra:totalItems'] ?? sent.length) - sent.length
  if (!sent.length) return null
  return (
    <section className={page.card} aria-labelledby="sent">
      <h2 id="sent">Recipients</h2>
      <ul className={dialogs.sent}>
        {sent.map((s) => (
          <li key={s.id}>
            <strong>{s.addresses.join(', ')}</strong>
            {s.emails.map((email) => (
              <span key={email.recipient} className={page.quiet}>
                {describeDelivery({ ...email, state: email.state as EmailDelivery['state'] })}
              </span>
            ))}
            <span className={page.quiet}>
              {`${nameOf(s.author)}, `}
              <DateTimeText at={s.sentAt} />
            </span>
            {s.message && <span className={dialogs.message}>{`“${s.message}”`}</span>}
          </li>
        ))}
      </ul>
      {more > 0 && <p className={page.quiet}>{`And ${more} earlier e-mails.`}</p>}
    </section>
  )
}

/** Stored PDFs of this revision, newest first. Renders nothing if there are none. */
function StoredPrints({ record }: { readonly record: DocumentRecord }) {
  const list = useList(documentPrint, { document: iriOf(document, record.id), itemsPerPage: 20 })
  const prints = list.data?.['hydra:member'] ?? []
  const more = (list.data?.['hydra:totalItems'] ?? prints.length) - prints.length
  if (!prints.length) return null
  const show = (url: string) => void openPdf(`${url}/pdf`).catch((e: unknown) => toast.failed(e, () => show(url)))
  return (
    <section className={page.card} aria-labelledby="papers">
      <h2 id="papers">Saved PDFs</h2>
      <p className={page.quiet}>A copy is saved at each stage and can’t be changed.</p>
      <ul className={dialogs.papers}>
        {prints.map((p) => (
          <li key={p.id}>
            <span>
              <DateTimeText at={p.createdAt} />
              <code title={p.checksum ?? ''}>{`fingerprint ${(p.checksum ?? '').slice(0, 12)}…`}</code>
            </span>
            <Button
              size="compact-md"
              variant="subtle"
              leftSection={<IconFileTypePdf size={16} aria-hidden />}
              onClick={() => show(p['@id'])}
            >
              View
            </Button>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={page.quiet}>{`And ${more} earlier PDFs.`}</p>}
    </section>
  )
}

interface ChangesProps {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
  readonly children: ReactNode
}

/** Shows the document. For a signatory who must sign again, first shows the changes since their last signature. */
function ChangesSinceSigned({ parts, record, children }: ChangesProps) {
  const { original } = useActor()
  const own = useOwnRequestedSignatures(record.current && original === undefined)
  const asked = own.data?.['hydra:member']
  const again = asked?.find((a) => a.document?.id === record.id && a.revision !== null)
  const [whole, setWhole] = useState(false)
  // Waits for the user's signatures, so that the document doesn't flash up before the changes.
  if (own.isLoading && record.asked > 0) return <LoadingRows rows={8} />
  if (!again || whole) return children
  return (
    <section className={page.card} aria-labelledby="changed">
      <h2 id="changed">{`Changes since you signed revision ${again.revision}`}</h2>
      <Since parts={parts} record={record} />
      <div className={page.buttons}>
        <Button variant="default" onClick={() => setWhole(true)}>
          {`View the whole ${parts.kind.noun}`}
        </Button>
      </div>
    </section>
  )
}

function Since({ parts, record }: Omit<ChangesProps, 'children'>) {
  const { found, signed, isError } = useChangesSinceSigned(parts, record)
  if (isError) return <Text>The changes since you signed can’t be shown. Please read the whole document.</Text>
  if (!found || !signed) return <LoadingRows rows={4} />
  if (!found.length) return <Text>The text is unchanged. Please confirm it by signing.</Text>
  const summary = parts.compare?.summary && toText(record[parts.compare.summary])
  return (
    <>
      {summary && <Text className={css.summary}>{summary}</Text>}
      <RevisionChanges sides={[`Revision ${signed.revision}`, `Revision ${record.revision}`]} found={found} />
      <BundledDocumentChanges parts={parts} before={signed} after={record} signed />
    </>
  )
}
