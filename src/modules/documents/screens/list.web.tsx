import { Button, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconChevronDown, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import { can } from '#kernel/can.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { FoundPart } from '#kernel/text.ts'
import { useActor } from '#web/api/me.ts'
import { openPdf, savePdf } from '#web/api/pdf.ts'
import { recordQueryOptions } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { FOUND_PART_COLUMN, FoundPartText } from '#web/ui/found-part.tsx'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { LazyTrigger } from '#web/ui/lazy-trigger.tsx'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { DocumentOwner } from '../access-log/document-owner.web.tsx'
import { formPaths } from '../forms/labels.ts'
import { fetchCombinedPdf } from '../packs/print-together.web.ts'
import { ReviewDueDate, reviewFilterParams } from '../review/due.web.tsx'
import { TEMPLATE_MANAGER_ROLES } from '../rights.ts'
import { DocumentChips } from '../types/chips.web.tsx'
import css from '../types/documents.module.css'
import { needsApproval } from '../types/in-force.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentScreenProps } from '../types/kind.web.ts'
import {
  clientIdOf,
  type DocumentRecord,
  displayedDocumentNumber,
  documentPermissions,
  documentTitleOrUntitled,
} from '../types/record.web.ts'
import { isDeletedOrWithdrawn } from '../types/transitions.ts'
import { DOCUMENT_LIST_SCHEMA, documentFilters, templateFilterParams } from './list-filters.web.ts'
import { DocumentRowActions } from './row-actions.web.tsx'

const load = () => import('./new-menu-items.web.tsx')
const NewMenuItems = lazyComponent(load)

/** Menu to start a document: blank, from a template, as a copy, or from a record of another type. */
function NewDocumentMenu({ kind }: { readonly kind: DocumentKind }) {
  const button = (more: object) => (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      rightSection={<IconChevronDown size={16} aria-hidden />}
      {...more}
    >
      {`New ${kind.noun}`}
    </Button>
  )
  return (
    <LazyTrigger load={load} closed={button}>
      <NewMenuItems kind={kind} button={button} />
    </LazyTrigger>
  )
}

interface Props {
  readonly record: Pick<DocumentRecord, 'asked' | 'missing' | 'carried' | 'signatures' | 'current'>
}

/**
 * Number of signatures. For a document in force that people were asked to sign, this is `7 of 9`, for example;
 * otherwise it is the total, including signatures carried forward by a minor change.
 */
function SignedCount({ record: { asked, missing, carried, signatures, current } }: Props) {
  if (current && asked > 0) return <span>{`${asked - missing} of ${asked}`}</span>
  const all = (signatures ?? 0) + carried
  if (!all) return <span>—</span>
  return (
    <span {...(carried ? { title: `Signatures carried forward after a minor change: ${carried}` } : {})}>{all}</span>
  )
}

const People = ({ record }: { readonly record: DocumentRecord }) => (
  <>
    <PersonName username={record.author} clientId={clientIdOf(record)} />
    {record.authorUsername && (
      <span className={css.further}>
        {' '}
        <IconCheck size={13} aria-hidden />
        <VisuallyHidden>approved by </VisuallyHidden>
        <PersonName username={record.authorUsername} clientId={clientIdOf(record)} />
      </span>
    )}
  </>
)

/** Labels for deletion. Documents are only marked as deleted, but the specification calls this deleting. */
const BULK_WORDS = {
  retire: {
    title: 'Delete',
    done: 'deleted',
    question:
      'Are you sure you wish to delete these items? They will remain stored, marked as deleted, and can be restored.',
  },
}

/** List of the documents of a type, with status, approval and review date. */
export default function DocumentListPage({ parts }: DocumentScreenProps) {
  const { kind } = parts
  const { nav } = kind
  const actor = useActor()
  const phone = useIsPhone()
  const queries = useQueryClient()
  const [state, set] = useUrlState(DOCUMENT_LIST_SCHEMA)
  const isSafety = kind.pack === 'safety'
  const wide = isSafety && actor.clientId === PROVIDER_CLIENT_ID && hasRole(actor, TEMPLATE_MANAGER_ROLES)
  const record = (row: unknown) => row as DocumentRecord
  const address = (row: unknown) =>
    documentPermissions(kind, actor, record(row)).write
      ? `${kind.screens.update}/${record(row).id}`
      : `${kind.screens.list}/view/${record(row).id}`
  return (
    <Page
      title={nav.title}
      actions={
        <>
          {hasRole(actor, kind.roles.approvers) && (
            <Button component={Link} variant="default" to={formPaths(kind).list}>
              Edit form questions
            </Button>
          )}
          {can(actor, 'create', kind.resource) && <NewDocumentMenu kind={kind} />}
        </>
      }
    >
      <DataList
        resource={kind.resource}
        label={nav.title}
        state={state}
        onState={set}
        search="Search by number, title, contents or people"
        params={{
          ...reviewFilterParams(state.due),
          ...templateFilterParams(state.templates),
          ...(state.templates === 'system' || wide ? {} : { client: actor.clientId }),
        }}
        filters={[...documentFilters(kind, actor, wide), ...(parts.filters?.(state) ?? [])]}
        columns={[
          {
            key: 'documentNumber',
            title: 'Number',
            width: 116,
            tight: true,
            render: (row) =>
              phone
                ? `${displayedDocumentNumber(actor, record(row))} ${documentTitleOrUntitled(kind, record(row))}`
                : displayedDocumentNumber(actor, record(row)),
          },
          {
            key: kind.title.field,
            title: 'Title',
            inCard: false,
            known: true,
            render: (row) => (
              <>
                {documentTitleOrUntitled(kind, record(row))}
                <FoundPartText part={record(row).found as FoundPart | null} />
              </>
            ),
          },
          ...(phone ? [FOUND_PART_COLUMN] : []),
          ...(parts.columns ?? []),
          ...(wide
            ? [{ key: 'client', title: 'Client', render: (row: unknown) => <DocumentOwner record={record(row)} /> }]
            : []),
          {
            key: 'status',
            title: 'Status',
            fields: ['standing'],
            tight: true,
            render: (row) => <DocumentChips record={record(row)} />,
          },
          { key: 'revision', title: 'Rev.', align: 'right', width: 70, order: 'revision', wide: 'last' },
          {
            key: 'author',
            title: needsApproval(kind) ? 'Author, approval' : 'Author',
            wide: true,
            render: (row) => <People record={record(row)} />,
          },
          {
            key: 'decidedAt',
            title: 'Approved/rejected on',
            wide: true,
            tight: true,
            render: (row) => <DateTimeText at={record(row).decidedAt as string | null} />,
          },
          {
            key: 'reviewDue',
            title: 'Review due',
            wide: 'last',
            tight: true,
            render: (row) => <ReviewDueDate record={record(row)} reviewed />,
          },
          {
            key: 'signatures',
            title: 'Signed',
            wide: 'last',
            align: 'right',
            width: 84,
            fields: ['signatures', 'asked', 'missing'],
            render: (row) => <SignedCount record={record(row)} />,
          },
        ]}
        href={address}
        onNear={(row) => void queries.prefetchQuery(recordQueryOptions(kind.resource, record(row).id))}
        rowMuted={(row) => isDeletedOrWithdrawn(record(row)) || record(row).state === 'replaced'}
        rowActions={(row) => <DocumentRowActions parts={parts} record={record(row)} />}
        bulkWords={BULK_WORDS}
        chosenActions={(rows) => isSafety && <SelectedDocumentActions kind={kind} rows={rows.map(record)} />}
        empty={
          <EmptyState
            title={`No ${nav.title.toLowerCase()} yet`}
            action={can(actor, 'create', kind.resource) && <NewDocumentMenu kind={kind} />}
          >
            {emptyListText(kind, can(actor, 'create', kind.resource))}
          </EmptyState>
        }
      />
    </Page>
  )
}

function emptyListText(kind: DocumentKind, mayCreate: boolean): string {
  if (!mayCreate)
    return kind.readerGroup
      ? `Only ${kind.readerGroup} can read these documents. Those in force in your company appear here.`
      : 'Documents in force in your company appear here.'
  return kind.pack === 'safety'
    ? `Start with a template for your industry, copy an existing document, or start with a blank ${kind.noun}.`
    : `Start with a blank ${kind.noun}.`
}

/** Buttons that print or download the selected documents as one PDF, in list order. */
function PrintSelectedDocuments({ ids }: { readonly ids: readonly number[] }) {
  const print = () => void fetchCombinedPdf({ documents: ids }, openPdf).catch((e: unknown) => toast.failed(e, print))
  const save = () => void fetchCombinedPdf({ documents: ids }, savePdf).catch((e: unknown) => toast.failed(e, save))
  return (
    <>
      <Button size="xs" variant="default" disabled={!ids.length} onClick={print}>
        Print as one PDF
      </Button>
      <Button size="xs" variant="default" disabled={!ids.length} onClick={save}>
        Download as one PDF
      </Button>
    </>
  )
}

const SendChosenDialog = lazyComponent(async () => ({
  default: (await import('../sending/send.web.tsx')).EmailSelectedDialog,
}))

interface SelectedDocumentActionsProps {
  readonly kind: DocumentKind
  readonly rows: readonly DocumentRecord[]
}

function SelectedDocumentActions({ kind, rows }: SelectedDocumentActionsProps) {
  const [sending, setSending] = useState(false)
  const [first, ...others] = rows
  return (
    <>
      <PrintSelectedDocuments ids={rows.map((row) => row.id)} />
      <Button size="xs" variant="default" disabled={!first} onClick={() => setSending(true)}>
        E-mail as one PDF
      </Button>
      <Suspense>
        {sending && first && (
          <SendChosenDialog kind={kind} rows={[first, ...others]} onClose={() => setSending(false)} />
        )}
      </Suspense>
    </>
  )
}
