import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { authorOf as writer } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { usePersonNames } from '#web/api/names.ts'
import { formatIsoAsUkDate, formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import page from '#web/ui/page.module.css'
import { LazyComponentPlaceholder } from '#web/ui/reveal-together.tsx'
import { useForbidsSelfApproval } from '../approval/approvers.web.ts'
import { type DocumentAction, DocumentActionDialog } from '../lifecycle/act-dialog.web.tsx'
import { useRetireDocuments } from '../lifecycle/retire.web.tsx'
import { ReviewDueDate } from '../review/due.web.tsx'
import { OwnSignatureTime } from '../signing/sign-here.web.tsx'
import { inForceText, wasInForce } from '../types/in-force.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import {
  clientIdOf,
  type DocumentRecord,
  documentPermissions,
  revisionsQueryOptions,
  useExistingDraft,
} from '../types/record.web.ts'
import { isOwnRevision } from '../types/self-approval.ts'
import { documentTypesStartableFrom } from '../types/startable-from.web.ts'
import { endedByText, isDeletedOrWithdrawn } from '../types/transitions.ts'
import css from './view.module.css'

interface Props {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
}

const MEANING = { draft: 'plain', complete: 'attention', current: 'safe', rejected: 'stop', replaced: 'plain' } as const

/** Status of a document and the user's next step. */
export function DocumentStatusBanner({ parts, record }: Props) {
  const { kind, words, Buttons } = parts
  const actor = useActor()
  const may = documentPermissions(kind, actor, record)
  const navigate = useNavigate()
  const [action, setAction] = useState<DocumentAction>()
  const [dialog, retire] = useRetireDocuments(kind)
  const draft = useExistingDraft(kind, record, may.revise)
  const own = may.approve && isOwnRevision(record, writer(actor).username)
  const another = useForbidsSelfApproval(own ? clientIdOf(record) : undefined)
  const overtaken = useOvertaken(kind, record)
  const put = isDeletedOrWithdrawn(record)
  const update = `${kind.screens.update}/`
  return (
    <section className={css.band} data-meaning={put ? 'stop' : MEANING[record.state]} aria-label="Status and next step">
      <p className={css.says}>
        {put ? <PutAway record={record} /> : <Says kind={kind} record={record} />}
        {another && ' You wrote or completed this document, and your company requires a second person to approve.'}
        {may.approve &&
          overtaken &&
          ` Revision ${overtaken.revision} has since come into force, so this revision can no longer be approved.`}
      </p>
      <div className={page.buttons}>
        {put && may.retire && (
          <Button variant="default" onClick={() => void retire([record], false)}>
            Restore
          </Button>
        )}
        {may.write && (
          <Button component={Link} to={`${update}${record.id}`}>
            Edit
          </Button>
        )}
        {may.write && (
          <Button component={Link} to={`${update}${record.id}/check`} variant="default">
            Complete
          </Button>
        )}
        {may.approve && !another && !overtaken && (
          <Button onClick={() => setAction('approve')}>{words?.approve ?? 'Approve'}</Button>
        )}
        {may.reject && (
          <Button variant="default" onClick={() => setAction('reject')}>
            Reject
          </Button>
        )}
        {Buttons && (
          <Suspense fallback={<LazyComponentPlaceholder />}>
            <Buttons record={record} />
          </Suspense>
        )}
        {may.copy &&
          record.current &&
          documentTypesStartableFrom(parts, record).map(({ action, to }) => (
            <Button key={to} component={Link} to={to} variant="default">
              {action}
            </Button>
          ))}
        {may.revise &&
          (draft ? (
            <Button component={Link} to={`${update}${draft.id}`} variant="default">
              {`Open draft of revision ${draft.revision}`}
            </Button>
          ) : (
            <Button variant="default" onClick={() => setAction('revise')}>
              {words?.revise ?? 'Revise'}
            </Button>
          ))}
      </div>
      {dialog}
      <DocumentActionDialog
        parts={parts}
        record={record}
        action={action}
        onClose={() => setAction(undefined)}
        onDone={(answer, done) => {
          if (done === 'revise') void navigate(`${update}${answer.id}`)
        }}
      />
    </section>
  )
}

/** Notice that a document has been withdrawn, with the reason, or that it has been deleted. */
function PutAway({ record }: { readonly record: DocumentRecord }) {
  const nameOf = usePersonNames([record.endedBy], clientIdOf(record))
  const ended = endedByText(record, { day: formatIsoAsUkDate, name: nameOf })
  return record.state === 'current'
    ? `${ended || 'Withdrawn'}: “${record.decisionNote ?? 'no reason was given'}” No other revision is in force. This revision is still stored and can be restored.`
    : `${ended || 'This document has been deleted'}. It is still stored and can be restored.`
}

/** Loads a later revision that is or was in force while this one awaits approval. */
function useOvertaken(kind: DocumentKind, record: DocumentRecord): DocumentRecord | undefined {
  const waits = record.state === 'complete'
  const revisions = useQuery({ ...revisionsQueryOptions(kind, record.id), enabled: waits }).data?.['hydra:member']
  const later = revisions?.filter((r) => r.revision > record.revision)
  return waits ? later?.find(wasInForce) : undefined
}

function Says({ kind, record }: { readonly kind: DocumentKind; readonly record: DocumentRecord }) {
  const { completedBy, completedAt, authorUsername, author, decisionNote, endedBy } = record
  const nameOf = usePersonNames([completedBy, authorUsername, author, endedBy], clientIdOf(record))
  switch (record.state) {
    case 'draft':
      return `Draft by ${nameOf(author) || 'its author'}. It is not in force.`
    case 'complete':
      return `Completed by ${nameOf(completedBy ?? author)} on ${formatIsoAsUkDateTime(completedAt)}. Awaiting approval.`
    case 'current':
      return (
        <>
          {`${inForceText(kind, record, { day: formatIsoAsUkDate, name: nameOf })} Review `}
          <ReviewDueDate record={record} />
          {record.reviewDue && ` (${formatIsoAsUkDate(record.reviewDue)})`}
          {decisionNote && ` “${decisionNote}”`} <OwnSignatureTime record={record} />
        </>
      )
    case 'rejected':
      return `${endedByText(record, { day: formatIsoAsUkDate, name: nameOf }) || 'Rejected'}: “${decisionNote ?? 'no reason was given'}” Start the next revision to make corrections.`
    case 'replaced':
      return <Replaced kind={kind} record={record} />
  }
}

function Replaced({ kind, record }: { readonly kind: DocumentKind; readonly record: DocumentRecord }) {
  const revisions = useQuery(revisionsQueryOptions(kind, record.id)).data?.['hydra:member']
  const current = revisions?.find((r) => r.current)
  return (
    <>
      A later revision has replaced this one.
      {current && (
        <>
          {' Please use '}
          <Anchor component={Link} to={`${kind.screens.list}/view/${current.id}`} inherit>
            {`revision ${current.revision}`}
          </Anchor>
          .
        </>
      )}
    </>
  )
}
