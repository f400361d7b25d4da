import { Anchor, Button, Text } from '@mantine/core'
import { IconArrowRight, IconSignature } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import { FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import { iriOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { useQueuedRequestsForUrl } from '#web/offline/outbox/outbox.ts'
import type { QueuedRequest } from '#web/offline/requests.ts'
import { LazyQueuedRequestChip } from '#web/offline/screens/queued-requests.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import page from '#web/ui/page.module.css'
import { LoadingRows } from '#web/ui/states.tsx'
import { useRecordForm } from '../forms/record-form.web.ts'
import { CARRY_FORWARD_REASON_TEXTS } from '../signoff/carried-signatures.ts'
import { useOwnCarriedForwardSignature } from '../signoff/carried-signatures.web.tsx'
import { useItemsToSign } from '../signoff/own-requests.web.ts'
import css from '../signoff/sign-off.module.css'
import { document, signature } from '../types/document.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import { type DocumentRecord, documentPermissions } from '../types/record.web.ts'
import { readAndUnderstoodStatement } from './hand-words.ts'
import { PartEnd, useVisibleSeconds } from './parts.web.tsx'
import { usePartsToRead, useReadProgress } from './read-progress.web.ts'
import { useReadingProof } from './reading-proof.web.ts'
import { SignDocumentForm } from './sign.web.tsx'

/** Returns the user's signature of a revision if it is queued on this device and not yet sent. */
export function useQueuedSignature(record: Pick<DocumentRecord, 'id'>): QueuedRequest | undefined {
  return useQueuedRequestsForUrl(iriOf(document, record.id)).find(
    ({ body, path, refused }) =>
      path === signature.url && !refused && body.visitor === false && body.method !== 'on behalf',
  )
}

/** Loads the signatures of a revision in the user's name: those given by the user or on the user's behalf. */
export function useOwnSignatures(record: Pick<DocumentRecord, 'id'>) {
  const { userId } = useActor()
  const found = useList(signature, { document: iriOf(document, record.id), user: userId }).data?.['hydra:member']
  return { known: found !== undefined, own: found?.find((s) => s.mine), behalf: found?.find((s) => !s.mine) }
}

/**
 * Time at which the user signed a revision, or someone signed on the user's behalf. Renders nothing if neither has
 * happened.
 */
export function OwnSignatureTime({ record }: { readonly record: DocumentRecord }) {
  const { name, original } = useActor()
  const { own, behalf } = useOwnSignatures(record)
  if (own) return <strong>{`${original ? name : 'You'} signed on ${formatIsoAsUkDateTime(own.signedAt)}.`}</strong>
  if (!behalf) return null
  return `${behalf.byName} signed on ${original ? `${name}’s` : 'your'} behalf on ${formatIsoAsUkDateTime(behalf.signedAt)}.`
}

export const SIGNING_SECTION_ID = 'sign-here'

const ReadingQuestions = lazyComponent(() => import('./questions.web.tsx'))

interface Props {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
  /** Opens a part of the document, and moves the focus to it. */
  readonly onOpenPart: (iri: string) => void
}

/** Section at the end of a document. The user signs the document here, or sees that they have already signed it. */
export function SigningSection({ parts, record, onOpenPart }: Props) {
  const { kind } = parts
  const may = documentPermissions(kind, useActor(), record)
  const { known, own } = useOwnSignatures(record)
  const kept = useQueuedSignature(record)
  const carried = useOwnCarriedForwardSignature(kind, record)
  const { left, opened: read, whole, error } = usePartsToRead(kind, record)
  const done = own !== undefined || kept !== undefined
  const proof = useReadingProof(record, Boolean(may.sign) && known && !done && !carried)
  const isProofOpen = proof.asked === true && (whole.length === 0 || proof.open.length > 0)
  const [opened, setOpened] = useState(false)
  const [underway, setUnderway] = useState(false)
  const close = () => {
    setOpened(false)
    setUnderway(false)
  }
  if (!known || !(may.sign || may.signInPerson || own)) return null
  return (
    <>
      {proof.asked && <DocumentEnd kind={kind} record={record} />}
      <section className={page.card} aria-labelledby={SIGNING_SECTION_ID}>
        <h2 id={SIGNING_SECTION_ID}>{done ? 'Signed' : carried ? 'Signed previously' : 'Sign'}</h2>
        <Text>
          {own ? (
            <OwnSignatureTime record={record} />
          ) : kept ? (
            'You signed on this device. '
          ) : carried ? (
            `You signed revision ${carried.revision}. ${CARRY_FORWARD_REASON_TEXTS[carried.why]} You don’t need to sign this one.\u0020`
          ) : (
            `By signing you confirm: “${readAndUnderstoodStatement(kind)}”\u0020`
          )}
          {!own && <OwnSignatureTime record={record} />}
          {!own && kept && <LazyQueuedRequestChip request={kept} />}
        </Text>
        {own && <NextItemToSign parts={parts} record={record} />}
        {may.signInPerson && !own && <Text>{FORBIDDEN_DURING_IMPERSONATION_MESSAGE}</Text>}
        {may.sign && error && (
          <Text>The documents that this one refers to could not be loaded, so you can’t sign it yet.</Text>
        )}
        {may.sign && left?.[0] && (
          <Text role="status">
            {`Read every document to the end before you sign: ${left.length} to go.\u0020`}
            <Anchor component="button" type="button" onClick={() => onOpenPart(left[0]?.['@id'] ?? '')}>
              {`Read ${left[0].name}`}
            </Anchor>
          </Text>
        )}
        {proof.error && <Text>The questions about this document could not be loaded, so you can’t sign it yet.</Text>}
        {proof.asked && whole.length === 0 && (
          <Text role="status">Read this document to its end. Then answer the questions about it, and sign.</Text>
        )}
        {proof.asked && whole.length > 0 && left?.length === 0 && (
          <Suspense fallback={<LoadingRows rows={3} />}>
            <ReadingQuestions {...proof} />
          </Suspense>
        )}
        {may.sign && (
          <div className={page.buttons}>
            <Button
              variant={done || carried ? 'default' : 'filled'}
              leftSection={<IconSignature size={18} aria-hidden />}
              disabled={!left || left.length > 0 || proof.asked === undefined || isProofOpen}
              onClick={() => setOpened(true)}
            >
              {done ? 'Add another signature' : 'Sign'}
            </Button>
          </div>
        )}
        <Dialog
          opened={opened}
          asleep={underway}
          onClose={close}
          title={`Sign ${record.documentNumber} revision ${record.revision}`}
          size="40rem"
        >
          <SignDocumentForm
            kind={kind}
            record={record}
            read={proof.asked ? [...whole, ...read] : read}
            questions={proof.answered}
            signed={done}
            onClose={close}
            onUnderway={setUnderway}
          />
        </Dialog>
      </section>
    </>
  )
}

/** Last line of a document that has to be read to its end. Also counts the seconds for which the document is open. */
function DocumentEnd({ kind, record }: Pick<DocumentTypeComponents, 'kind'> & { readonly record: DocumentRecord }) {
  const { data: form } = useRecordForm(kind, record.id)
  const { add } = useReadProgress(record)
  const iri = iriOf(document, record.id)
  useVisibleSeconds(
    () => form !== undefined,
    (more) => add(iri, more),
  )
  if (!form) return null
  return (
    <PartEnd onRead={(more) => add(iri, more)}>{`End of ${record.documentNumber} revision ${record.revision}`}</PartEnd>
  )
}

interface NextItemToSignProps {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
}

/**
 * Link to the next item of any type that awaits the user's signature, or to the dashboard if there is none. Shown after
 * signing.
 */
function NextItemToSign({ parts, record }: NextItemToSignProps) {
  const { rows, isPending, error } = useItemsToSign(parts.all)
  const left = rows.filter((one) => one.to !== `${parts.kind.screens.list}/view/${record.id}`)
  const next = left[0]
  if (isPending || error) return null
  return (
    <>
      <Text>{left.length === 0 ? 'Nothing else to sign.' : `${left.length} more to sign.`}</Text>
      <div className={page.buttons}>
        {next ? (
          <Button
            component={Link}
            to={next.to}
            className={css.next ?? ''}
            rightSection={<IconArrowRight size={16} aria-hidden />}
          >
            {`Next: ${next.title}`}
          </Button>
        ) : (
          <Button component={Link} to="/dashboard" variant="default">
            Back to the dashboard
          </Button>
        )}
      </div>
    </>
  )
}
