import { Button, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconChevronDown, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { can } from '#kernel/can.ts'
import { type Field, labelOf } from '#kernel/fields.ts'
import { hasRole, PROVIDER } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { oneOptions } from '#web/api/resources.ts'
import { Moment } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { lazily } from '#web/ui/lazily.tsx'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { WhenWanted } from '#web/ui/when-wanted.tsx'
import { Whose } from '../access-log/whose.web.tsx'
import { formPaths } from '../forms/paths.ts'
import { dueParams, ReviewDue } from '../review/due.web.tsx'
import { APPROVERS, KEEPERS } from '../rights.ts'
import { DocumentChips } from '../types/chips.web.tsx'
import css from '../types/documents.module.css'
import { isApproved } from '../types/in-force.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { ScreenProps } from '../types/kind.web.ts'
import { clientOf, type DocumentRecord, mayOf, numberFor, titleOf } from '../types/record.web.ts'
import { isPutAway } from '../types/states.ts'
import { ChosenActions } from './chosen.web.tsx'
import { filtersFor, LIST, templateParams } from './list-filters.web.ts'
import { RowActions } from './row-actions.web.tsx'

const load = () => import('./new-menu-items.web.tsx')
const NewMenuItems = lazily(load)

/** Menu to start a document: blank, from a template, as a copy, or from a record of another type. */
function NewMenu({ kind }: { readonly kind: DocumentKind }) {
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
    <WhenWanted load={load} closed={button}>
      <NewMenuItems kind={kind} button={button} />
    </WhenWanted>
  )
}

interface Props {
  readonly record: Pick<DocumentRecord, 'asked' | 'missing' | 'carried' | 'signatures' | 'current'>
}

/**
 * Number of signatures: `7 of 9` of the people asked, otherwise the total, with those carried forward by a minor
 * change.
 */
function SignedCount({ record: { asked, missing, carried, signatures, current } }: Props) {
  if (current && asked > 0) return <span>{`${asked - missing} of ${asked}`}</span>
  const all = (signatures ?? 0) + carried
  if (!all) return <span>—</span>
  return <span {...(carried ? { title: `${carried} carried forward by a minor change` } : {})}>{all}</span>
}

const People = ({ record }: { readonly record: DocumentRecord }) => (
  <>
    <PersonName username={record.author} clientId={clientOf(record)} />
    {record.authorUsername && (
      <span className={css.further}>
        {' '}
        <IconCheck size={13} aria-hidden />
        <VisuallyHidden>approved by </VisuallyHidden>
        <PersonName username={record.authorUsername} clientId={clientOf(record)} />
      </span>
    )}
  </>
)

/** Fields searched, besides number, title and author. */
function searchWords({ resource }: DocumentKind): string {
  const also = Object.entries<Field>(resource.fields).flatMap(([name, f]) =>
    f.inJson && f.search && f.order ? [labelOf(name, f).toLowerCase()] : [],
  )
  const all = ['number', 'title', 'author', ...also]
  return `Search by ${all.slice(0, -1).join(', ')} or ${all.at(-1)}`
}

/** Documents are only marked as deleted; the specification calls it deleting. */
const BULK_WORDS = {
  retire: {
    title: 'Delete',
    done: 'deleted',
    question: 'Are you sure you wish to delete these items? They are kept, marked as deleted, and can be restored.',
  },
}

/** List of the documents of one type, with status, approval and review date. */
export default function Documents({ parts }: ScreenProps) {
  const { kind } = parts
  const { nav } = kind
  const actor = useActor()
  const phone = useIsPhone()
  const queries = useQueryClient()
  const [state, set] = useUrlState(LIST)
  const wide = actor.clientId === PROVIDER && hasRole(actor, KEEPERS)
  const record = (row: unknown) => row as DocumentRecord
  const address = (row: unknown) =>
    mayOf(kind, actor, record(row)).write
      ? `${kind.screens.update}/${record(row).id}`
      : `${kind.screens.list}/view/${record(row).id}`
  return (
    <Page
      title={nav.title}
      actions={
        <>
          {hasRole(actor, APPROVERS) && (
            <Button component={Link} variant="default" to={formPaths(kind).list}>
              Edit form questions
            </Button>
          )}
          {can(actor, 'create', kind.resource) && <NewMenu kind={kind} />}
        </>
      }
    >
      <DataList
        resource={kind.resource}
        label={nav.title}
        state={state}
        onState={set}
        search={searchWords(kind)}
        params={{
          ...dueParams(state.due),
          ...templateParams(state.templates),
          ...(state.templates === 'system' || wide ? {} : { client: actor.clientId }),
        }}
        filters={[...filtersFor(kind, actor, wide), ...(parts.filters?.(state) ?? [])]}
        columns={[
          {
            key: 'documentNumber',
            title: 'Number',
            width: 116,
            tight: true,
            render: (row) =>
              phone ? `${numberFor(actor, record(row))} ${titleOf(kind, record(row))}` : numberFor(actor, record(row)),
          },
          {
            key: kind.title.field,
            title: 'Title',
            inCard: false,
            known: true,
            render: (row) => titleOf(kind, record(row)),
          },
          ...(parts.columns ?? []),
          ...(wide
            ? [{ key: 'client', title: 'Client', render: (row: unknown) => <Whose record={record(row)} /> }]
            : []),
          {
            key: 'status',
            title: 'Status',
            fields: ['standing'],
            tight: true,
            render: (row) => <DocumentChips record={record(row)} />,
          },
          { key: 'revision', title: 'Rev.', align: 'right', width: 70, order: 'revision' },
          {
            key: 'author',
            title: isApproved(kind) ? 'Author, approval' : 'Author',
            wide: true,
            render: (row) => <People record={record(row)} />,
          },
          {
            key: 'decidedAt',
            title: 'Approved/rejected on',
            wide: true,
            tight: true,
            render: (row) => <Moment at={record(row).decidedAt as string | null} day />,
          },
          {
            key: 'reviewDue',
            title: 'Review due',
            tight: true,
            render: (row) => <ReviewDue record={record(row)} reviewed />,
          },
          {
            key: 'signatures',
            title: 'Signed',
            align: 'right',
            width: 84,
            fields: ['signatures', 'asked', 'missing'],
            render: (row) => <SignedCount record={record(row)} />,
          },
        ]}
        href={address}
        onNear={(row) => void queries.prefetchQuery(oneOptions(kind.resource, record(row).id))}
        rowMuted={(row) => isPutAway(record(row)) || record(row).state === 'replaced'}
        rowActions={(row) => <RowActions parts={parts} record={record(row)} />}
        bulkWords={BULK_WORDS}
        chosenActions={(rows) => <ChosenActions kind={kind} rows={rows.map(record)} />}
        empty={
          <EmptyState
            title={`No ${nav.title.toLowerCase()} yet`}
            action={can(actor, 'create', kind.resource) && <NewMenu kind={kind} />}
          >
            {can(actor, 'create', kind.resource)
              ? `Start with a template for your industry, copy an existing document, or start with a blank ${kind.noun}.`
              : 'Documents in force in your company appear here.'}
          </EmptyState>
        }
      />
    </Page>
  )
}
