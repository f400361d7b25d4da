import { Anchor, Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { formatMonths } from '#kernel/time.ts'
import { ReviewDueDate } from '#modules/documents/review/due.web.tsx'
import { TEMPLATE_MANAGER_ROLES } from '#modules/documents/rights.ts'
import { useReviewMonths } from '#modules/documents/settings/kinds.web.ts'
import {
  type DocumentRecord,
  documentPermissions,
  documentTitleOrUntitled,
  useUpdateCompletedDocument,
} from '#modules/documents/types/record.web.ts'
import { client } from '#modules/portal/clients/client.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import { useLinkedRecordName } from '#web/forms/use-choices.ts'
import { linkedRecordIri, linkedRecordName } from '#web/forms/values.ts'
import { PagedRows } from '#web/lists/paged-rows.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import css from './policies.module.css'
import { policy } from './policy.ts'

const SIZE = 10
const SOON_DAYS = 60

interface Props {
  /** True to list only policies whose review date has passed. */
  readonly expired?: boolean
}

/**
 * A company's policies in force by review date or, if `expired` is true, only those whose review is overdue. A policy
 * in which nothing has changed can be renewed with one click. Template managers see the policies of all clients whose
 * review is due soon or overdue.
 */
export default function PolicyRenewalsPage({ expired = false }: Props) {
  const actor = useActor()
  const [page, setPage] = useState(1)
  const wide = actor.clientId === PROVIDER_CLIENT_ID && hasRole(actor, TEMPLATE_MANAGER_ROLES)
  const today = londonToday()
  const soon = Temporal.PlainDate.from(today).add({ days: SOON_DAYS }).toString()
  const found = useList(policy.resource, {
    current: true,
    isTemplate: false,
    retired: false,
    'order[reviewDue]': 'asc',
    ...(expired ? { 'reviewDue[strictly_before]': today } : wide ? { 'reviewDue[before]': soon } : {}),
    ...(wide ? {} : { client: actor.clientId }),
    page,
    itemsPerPage: SIZE,
  })
  return (
    <Page
      title={expired ? 'Policies overdue for review' : 'Policy review'}
      back={{ label: policy.nav.title, to: policy.screens.list }}
      about="Review a policy every year, and whenever the work, the people or the law have changed. If the policy is still correct, renew it; otherwise start the next revision."
    >
      <PagedRows
        list={found}
        page={page}
        size={SIZE}
        onPage={setPage}
        empty={
          <EmptyState title={expired ? 'No policies overdue for review' : 'No policies to review'}>
            {expired
              ? 'All review dates are in the future.'
              : 'Policies in force are listed here with their review dates.'}
          </EmptyState>
        }
      >
        {(rows) => (
          <ul className={css.functions} aria-label="Policies">
            {rows.map((row) => (
              <Renewal key={row.id} record={row as unknown as DocumentRecord} wide={wide} />
            ))}
          </ul>
        )}
      </PagedRows>
    </Page>
  )
}

function Renewal({ record, wide }: { readonly record: DocumentRecord; readonly wide: boolean }) {
  const actor = useActor()
  const mark = useUpdateCompletedDocument(policy)
  const may = documentPermissions(policy, actor, record)
  const company = useLinkedRecordName(
    client,
    wide ? linkedRecordIri(record.client) : '',
    linkedRecordName(client, record.client),
  )
  const months = useReviewMonths(policy, record)
  const until = Temporal.PlainDate.from(londonToday()).add({ months }).toString()
  const renew = async () => {
    try {
      await mark.mutateAsync({ id: record.id, values: { reviewed: true, reviewDue: until } })
      toast.info(`${record.documentNumber} renewed until ${formatIsoAsUkDate(until)}`, 'safe')
    } catch (e) {
      toast.failed(e, () => void renew())
    }
  }
  const renewed = record.reviewed && record.reviewDue === until
  return (
    <li>
      <div>
        <h2>
          <Anchor component={Link} to={`${policy.screens.list}/view/${record.id}`} inherit>
            {documentTitleOrUntitled(policy, record)}
          </Anchor>
        </h2>
        <p className={css.person}>
          {[wide ? company : '', `${record.documentNumber} revision ${record.revision}`].filter(Boolean).join(', ')}
        </p>
        <p className={css.person}>
          Review due: <ReviewDueDate record={record} /> {record.reviewDue && `(${formatIsoAsUkDate(record.reviewDue)})`}
        </p>
      </div>
      <div className={css.bar}>
        {may.review && (
          <Button
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={mark.isPending}
            disabled={renewed}
            onClick={() => void renew()}
          >
            {renewed ? 'Renewed' : `Renew for ${formatMonths(months)}`}
          </Button>
        )}
        <Button component={Link} variant="default" to={`${policy.screens.list}/view/${record.id}`}>
          Read policy
        </Button>
      </div>
    </li>
  )
}
