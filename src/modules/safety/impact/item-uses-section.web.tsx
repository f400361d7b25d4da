import { Anchor, Button, Checkbox, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { DOCUMENT_APPROVER_ROLES } from '#modules/documents/rights.ts'
import { document } from '#modules/documents/types/document.ts'
import { DOCUMENT_STATUS_LABELS, type DocumentState, toDocumentStatus } from '#modules/documents/types/transitions.ts'
import type { Collection } from '#web/api/client.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { useList } from '#web/api/resources.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import { type BatchJobRecord, followBatchJob } from '#web/lists/extras/runs.ts'
import { ListPager } from '#web/lists/list-pager.tsx'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { LoadingRows, SectionError } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import css from './ripple.module.css'
import { DOCUMENT_PAGE_PATHS } from './screens.ts'

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const
const MAX_REASON_LENGTH = 300

interface Props {
  readonly of: { readonly '@id': string }
  /** Item name with which the suggested reason starts. */
  readonly called: string
  /** Selected documents; if empty, all documents in force that use the item. */
  readonly documents: readonly string[]
  readonly count: number
  readonly opened: boolean
  readonly onClose: () => void
}

/** Dialog to request reviews after a library change: the reason, then the progress of the batch job. */
function RequestReviewsDialog({ opened, onClose, ...props }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Request review" size="36rem">
      <Ask {...props} onClose={onClose} />
    </Dialog>
  )
}

function Ask({ of, called, documents, count, onClose }: Omit<Props, 'opened'>) {
  const [reason, setReason] = useState(
    () => `${called} was changed on ${Temporal.PlainDate.from(londonToday()).toLocaleString('en-GB', DAY)}.`,
  )
  const [run, setRun] = useState<BatchJobRecord>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const start = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const begun = await callApi<BatchJobRecord>('POST', `${of['@id']}/ask_reviews`, { reason, documents })
      setRun(await followBatchJob(begun, setRun))
    } catch (e) {
      setFailure(errorSentence(e))
    }
    setBusy(false)
  }
  return (
    <>
      {run ? (
        <Text role="status">
          {progressOf(run)}{' '}
          <Anchor component={Link} to="/profile/long-work">
            View all jobs
          </Anchor>
        </Text>
      ) : (
        <>
          <Text mb="sm">
            {count === 1
              ? 'One document will become due for review today. Its sealed content stays unchanged.'
              : `${count.toLocaleString('en-GB')} documents will become due for review today. Their sealed content stays unchanged.`}
          </Text>
          <Textarea
            label="Reason (Required)"
            description="Shown to the reviewers."
            value={reason}
            maxLength={MAX_REASON_LENGTH}
            autosize
            minRows={2}
            onChange={(e) => setReason(e.currentTarget.value)}
          />
        </>
      )}
      {failure && <FormErrorText mt="sm">{failure}</FormErrorText>}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {run ? 'Close' : 'Cancel'}
        </Button>
        {!run && (
          <Button loading={busy} onClick={() => void start()}>
            Request review
          </Button>
        )}
      </DialogActions>
    </>
  )
}

/** Returns the batch job's progress or result as text. */
function progressOf({ state, done, total, refused, tally }: BatchJobRecord): string {
  const before = tally.unchanged ? ` ${tally.unchanged} had already been requested.` : ''
  const not = refused ? ` ${refused} could not be requested.` : ''
  if (state === 'done') return `${done ?? 0} ${done === 1 ? 'review' : 'reviews'} requested.${before}${not}`
  if (state === 'failed' || state === 'stopped') return `Stopped after ${done ?? 0} of ${total ?? 0} reviews.${not}`
  return `${done ?? 0} of ${total ?? 0} reviews requested.`
}

const SIZE = 10
/**
 * List filter for affected documents. Replaced and deleted revisions are excluded, because they record what applied at
 * the time.
 */
const STANDS = { retired: false, state: ['draft', 'complete', 'current'] }

export interface LibraryItemUsesProps {
  /** Library item whose uses are shown. */
  readonly of: { readonly '@id': string }
  /** Item name as the start of a sentence, such as "The control “Nets”". */
  readonly called: string
}

export type LibraryItemRef = Pick<LibraryItemUsesProps, 'of'>

/**
 * Documents affected by a change to a library item: those that use the item, those that include such documents, and the
 * signatories. Users can request reviews of selected documents.
 */
export function LibraryItemUsesSection({ of, called }: LibraryItemUsesProps) {
  const actor = useActor()
  const [page, setPage] = useState(1)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [asking, setAsking] = useState<'all' | 'chosen'>()
  const own = ownOf(actor)
  const url = (path: string) => ({ ...document, url: `${of['@id']}/${path}` })
  const list = useList(url('where_used'), { ...STANDS, ...own, page, itemsPerPage: SIZE })
  const inForce = useInForce(of)
  const held = useList(url('held_in'), { ...STANDS, ...own, itemsPerPage: SIZE }).data
  const may = hasRole(actor, DOCUMENT_APPROVER_ROLES)
  const toggle = (iri: string) =>
    setChosen((all) => (all.includes(iri) ? all.filter((one) => one !== iri) : [...all, iri]))
  const rows = (found: readonly Row[]) => (
    <ul className={css.list}>
      {found.map((row) => (
        <One
          key={row.id}
          row={row}
          chosen={chosen.includes(row['@id'])}
          onToggle={may && row.current ? toggle : undefined}
        />
      ))}
    </ul>
  )
  const users = list.data?.['hydra:member'] ?? []
  const total = list.data?.['hydra:totalItems'] ?? users.length
  return (
    <section id={placeOf(of)} tabIndex={-1} className={css.ripple} aria-label="Where used">
      <h3>Where used</h3>
      {list.error ? (
        <SectionError error={list.error} onRetry={list.refetch} />
      ) : !list.data ? (
        <LoadingRows rows={2} />
      ) : !total ? (
        <p className={css.quiet}>No documents that you can see use this item.</p>
      ) : (
        <>
          <p>
            {`${countOf(total, 'document')}, ${inForce} in force. Each document keeps the content it was written with; please check whether that content still applies.`}
          </p>
          {rows(users)}
          {total > SIZE && <ListPager page={page} size={SIZE} shown={users.length} total={total} onPage={setPage} />}
          {held && held['hydra:member'].length > 0 && (
            <details className={css.more}>
              <summary>{`Included in ${countOf(totalOf(held), 'pack or other document', 'packs and other documents')}`}</summary>
              {rows(held['hydra:member'])}
              <More all={totalOf(held)} shown={held['hydra:member'].length} />
            </details>
          )}
          <Signers of={of} />
          {may && (inForce > 0 || chosen.length > 0) && (
            <div className={css.buttons}>
              {inForce > 0 && (
                <Button variant="default" onClick={() => setAsking('all')}>
                  {inForce === 1
                    ? 'Request review of the document in force'
                    : `Request review of all ${inForce} documents in force`}
                </Button>
              )}
              {chosen.length > 0 && (
                <Button variant="default" onClick={() => setAsking('chosen')}>
                  {chosen.length === 1
                    ? 'Request review of the selected document'
                    : `Request review of the ${chosen.length} selected documents`}
                </Button>
              )}
            </div>
          )}
        </>
      )}
      <RequestReviewsDialog
        of={of}
        called={called}
        documents={asking === 'chosen' ? chosen : []}
        count={asking === 'chosen' ? chosen.length : inForce}
        opened={asking !== undefined}
        onClose={() => setAsking(undefined)}
      />
    </section>
  )
}

/**
 * Returns the document filter by company. The provider's users see all documents that they may read. Other users see
 * only their own company's documents, even for shared items.
 */
const ownOf = ({ clientId }: { readonly clientId: number }) =>
  clientId === PROVIDER_CLIENT_ID ? {} : { client: clientId }

/** Fetches the number of documents in force that use the item. */
function useInForce(of: LibraryItemUsesProps['of']): number {
  const own = ownOf(useActor())
  const list = useList({ ...document, url: `${of['@id']}/where_used` }, { ...own, current: true, itemsPerPage: 1 })
  return list.data?.['hydra:totalItems'] ?? 0
}

const placeOf = (of: LibraryItemUsesProps['of']) => `used${of['@id'].replaceAll('/', '-')}`

/** Number of documents in force that use the item, with a link to the documents. Shown beside the save button. */
export function LibraryItemUseCountLink({ of }: LibraryItemRef) {
  const inForce = useInForce(of)
  if (!inForce) return null
  const show = () => {
    const place = globalThis.document.getElementById(placeOf(of))
    place?.scrollIntoView({ block: 'center' })
    place?.focus({ preventScroll: true })
  }
  return (
    <Anchor component="button" type="button" className={css.touches} onClick={show}>
      {`Used in ${countOf(inForce, 'document')} in force`}
    </Anchor>
  )
}

type Row = RecordOf<typeof document>

const countOf = (n: number, one: string, many = `${one}s`) => `${n.toLocaleString('en-GB')} ${n === 1 ? one : many}`
const totalOf = <T,>(found: Collection<T>) => found['hydra:totalItems'] ?? found['hydra:member'].length

const More = ({ all, shown }: { readonly all: number; readonly shown: number }) =>
  all > shown && <p className={css.quiet}>{`And ${(all - shown).toLocaleString('en-GB')} more.`}</p>

const MEANINGS: Readonly<Record<string, ColourMeaning>> = { complete: 'attention', current: 'safe' }

interface OneProps {
  readonly row: Row
  readonly chosen: boolean
  /** Selects or deselects the document; undefined if the user can't request a review of the document. */
  readonly onToggle: ((iri: string) => void) | undefined
}

function One({ row, chosen, onToggle }: OneProps) {
  const called = `${row.documentNumber}, revision ${row.revision}`
  const standing = toDocumentStatus({ state: row.state as DocumentState, retired: row.retired })
  const list = DOCUMENT_PAGE_PATHS[row.kind ?? '']
  return (
    <li>
      {onToggle && <Checkbox aria-label={`Select ${called}`} checked={chosen} onChange={() => onToggle(row['@id'])} />}
      {list ? (
        <Anchor component={Link} to={`${list}/view/${row.id}`}>
          {called}
        </Anchor>
      ) : (
        <strong>{called}</strong>
      )}
      <span>{[row.title, row.location].filter(Boolean).join(', ')}</span>
      <StatusChip meaning={MEANINGS[standing] ?? 'plain'}>{DOCUMENT_STATUS_LABELS[standing]}</StatusChip>
    </li>
  )
}

interface Signer {
  readonly '@id': string
  readonly name: string
  readonly documents: number
}

/** List of the people who signed the documents in force that use the item. */
function Signers({ of }: LibraryItemRef) {
  const at = `${of['@id']}/signed_by`
  const { data } = useQuery({ queryKey: [at], ...urlQueryOptions<Collection<Signer>>(at) })
  const people = data?.['hydra:member'] ?? []
  if (!data || !people.length) return null
  return (
    <details className={css.more}>
      <summary>{`Signed by ${countOf(totalOf(data), 'person', 'people')}`}</summary>
      <ul className={css.list}>
        {people.map((one) => (
          <li key={one['@id']}>
            {one.name}
            <span className={css.quiet}>{countOf(one.documents, 'document')}</span>
          </li>
        ))}
      </ul>
      <More all={totalOf(data)} shown={people.length} />
    </details>
  )
}
