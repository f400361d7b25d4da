import { Button } from '@mantine/core'
import { useState } from 'react'
import { canSeeField } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { formatCountWithNoun } from '#kernel/text.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { useQueuedRequestsForUrl } from '#web/offline/outbox/outbox.ts'
import { LazyQueuedRequestList } from '#web/offline/screens/queued-requests.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StoredSignature } from '#web/ui/stored-signature.tsx'
import { CARRY_FORWARD_REASON_LABELS } from '../signoff/carried-signatures.ts'
import { useCarriedForwardSignatures } from '../signoff/carried-signatures.web.tsx'
import { useSignaturesOf } from '../signoff/people.web.ts'
import { document, signature } from '../types/document.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import { describeOpenedParts, employerOf, readAndUnderstoodStatement, signatureDescription } from './hand-words.ts'
import { describeAnswers } from './reading-questions.ts'
import css from './signing.module.css'

type Signature = RecordOf<typeof signature>

/** A drawn signature, loaded on request for users who may see it. */
function DrawnSignature({ of }: { readonly of: Signature }) {
  const actor = useActor()
  const [asked, setAsked] = useState(false)
  const read = useApiRecord(signature, asked ? of.id : undefined)
  // An optimistic signature already includes its drawing.
  const data = of.strokes ? of : read.data
  const name = of.method === 'on behalf' ? of.byName || of.name : of.name
  if (of.method === 'typed' || (data && !data.strokes)) return <StoredSignature strokes={undefined} name={name} />
  if (data) return <StoredSignature strokes={data.strokes} name={name} />
  if (!canSeeField(actor, signature.fields.strokes, of)) return null
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      loading={asked && read.isPending}
      aria-label={`Show signature of ${of.name}`}
      onClick={() => setAsked(true)}
    >
      Show
    </Button>
  )
}

interface Props {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
}

/**
 * Number of signatures shown initially. The others are shown on request, because the sections below them are used more
 * often.
 */
const SHOWN_SIGNATURES = 20

/** Signatures of exactly this revision, with method and time. */
export function SignatureList({ parts, record }: Props) {
  const list = useSignaturesOf(record)
  const signed = list.data?.['hydra:member']
  const carried = useCarriedForwardSignatures(parts.kind, record)
  const kept = useQueuedRequestsForUrl(`${document.url}/${record.id}`)
  const [all, setAll] = useState(false)
  const many = (signed?.length ?? 0) + carried.length
  if (record.state === 'draft' && !many) return null
  return (
    <section className={page.card} aria-labelledby="signatures">
      <h2 id="signatures">{many ? `Signatures (${many})` : 'Signatures'}</h2>
      {signed && many > 0 && record.current && record.asked > 0 && <p className={page.quiet}>{whose(record, many)}</p>}
      <LazyQueuedRequestList requests={kept} label="Signatures on this device" />
      {signed === undefined ? (
        list.isError ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <LoadingRows rows={3} />
        )
      ) : many === 0 ? (
        <p className={page.quiet}>{unsigned(parts, record)}</p>
      ) : (
        <ul className={css.signed}>
          {(all ? signed : signed.slice(0, SHOWN_SIGNATURES)).map((s) => (
            <li key={s.id}>
              <div className={css.words}>
                <strong>{s.name}</strong>
                <span className={page.quiet}>
                  {s.byLink && `${employerOf(s)}. `}
                  {signatureDescription(s)}, <DateTimeText at={s.signedAt} />
                </span>
                {s.opened && s.opened.length > 0 && (
                  <details className={page.quiet}>
                    <summary>{describeOpenedParts(s.opened)}</summary>
                    <ul>
                      {s.opened.map((part) => (
                        <li
                          key={part.part}
                        >{`${part.name}: ${formatCountWithNoun(part.seconds, 'second')[0] ?? '0 seconds'}`}</li>
                      ))}
                    </ul>
                  </details>
                )}
                {s.questions && s.questions.length > 0 && (
                  <details className={page.quiet}>
                    <summary>{describeAnswers(s.questions)}</summary>
                    <ul>
                      {s.questions.map(({ question, chosen }) => (
                        <li key={question}>{`${question} ${chosen.join('; then: ')}`}</li>
                      ))}
                    </ul>
                  </details>
                )}
                {s.statement && s.statement !== readAndUnderstoodStatement(parts.kind) && (
                  <span className={page.quiet}>{`“${s.statement}”`}</span>
                )}
              </div>
              <DrawnSignature of={s} />
            </li>
          ))}
          {carried.map((s) => (
            <li key={`carried ${s.id}`}>
              <div className={css.words}>
                <strong>{s.name}</strong>
                <span className={page.quiet}>
                  {`Signed revision ${s.revision}, carried forward to ${record.revision} (${CARRY_FORWARD_REASON_LABELS[s.why]}),\u0020`}
                  <DateTimeText at={s.signedAt} />
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
      {!all && signed && signed.length > SHOWN_SIGNATURES && (
        <div className={page.buttons}>
          <Button size="compact-md" variant="default" onClick={() => setAll(true)}>
            {`Show all ${many}`}
          </Button>
        </div>
      )}
    </section>
  )
}

/** Returns a text with the numbers of signatures by people who were asked to sign and by others. */
function whose({ asked, missing }: DocumentRecord, many: number): string {
  const others = Math.max(0, many - (asked - missing))
  return `${asked - missing} of the ${asked} people asked have signed.${
    others ? ` ${others === 1 ? 'One signature is' : `${others} are`} by visitors or people who were not asked.` : ''
  }`
}

/** Returns the text for a revision without signatures, depending on whether it can be signed. */
function unsigned({ kind: { noun }, words }: DocumentTypeComponents, { current, state }: DocumentRecord): string {
  if (current)
    return (
      words?.unsigned ?? `No signatures on this revision yet. Ask everyone who works under this ${noun} to sign it.`
    )
  return state === 'complete' ? 'This revision can be signed once it is in force.' : 'This revision was not signed.'
}
