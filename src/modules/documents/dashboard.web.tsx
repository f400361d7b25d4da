import { Alert, Anchor, Group, List } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { can } from '#kernel/can.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { lastMinuteOfDay } from '#kernel/time.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { usePersonNames } from '#web/api/names.ts'
import { useList } from '#web/api/resources.ts'
import { DashboardSection } from '#web/dashboard/section.tsx'
import { DashboardSectionSkeleton } from '#web/dashboard/sections.tsx'
import { type PendingWorkList, PendingWorkRow, PendingWorkRows, PendingWorkSections } from '#web/dashboard/waiting.tsx'
import { DateTimeText, RelativeTimeText } from '#web/dates/relative.tsx'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import type { DashboardPart, ModuleDashboard } from '#web/shell/manifest/dashboard.ts'
import page from '#web/ui/page.module.css'
import { evidenceFinding } from './audit-chain/outcome.ts'
import { DOCUMENT_READER_ROLES } from './rights.ts'
import {
  type DashboardDocument,
  type DocumentWorkList,
  documentListLinks,
  documentViewPath,
  documentWorkLists,
  documentWorkPath,
} from './screens/own-work.web.ts'
import { useItemsToSign } from './signoff/own-requests.web.ts'
import css from './signoff/sign-off.module.css'
import type { LazyDocumentType } from './types/kind.web.ts'

interface Props<T> {
  readonly kinds: readonly LazyDocumentType[]
  /** Documents in force that every reader should sign. */
  readonly everybodys: PendingWorkList<T> | undefined
  readonly idOf: (one: T) => number
}

/**
 * Documents that the user has been asked to sign, by due date. Documents that every reader should sign are collapsed
 * below them, or are shown alone if the user has not been asked to sign any.
 */
function ToSignPart<T extends { readonly id: number }>({ kinds, everybodys, idOf }: Props<T>) {
  const must = useItemsToSign(kinds)
  const url = everybodys?.url ?? ''
  const others = useQuery({
    queryKey: [url],
    queryFn: ({ signal }) => callApi<Collection<T>>('GET', url, undefined, { signal }),
    enabled: everybodys !== undefined,
    refetchOnMount: 'always' as const,
  })
  if (must.isPending || others.isLoading) return <DashboardSectionSkeleton />
  if (!must.rows.length && !must.error) return everybodys && <PendingWorkSections lists={[everybodys]} />
  // Excludes documents that are already listed above, such as a toolbox talk that the user signs in its record.
  const rest = others.data?.['hydra:member'].filter((one) => !must.rows.some((m) => m.document === idOf(one))) ?? []
  const more = rest.length && (others.data?.['hydra:totalItems'] ?? 0) - (others.data?.['hydra:member'].length ?? 0)
  return (
    <DashboardSection
      title={must.rows.length ? `To sign (${must.rows.length})` : 'To sign'}
      loading={false}
      error={must.error}
      onRetry={must.refetch}
    >
      <PendingWorkRows
        rows={must.rows.map(({ key, to, title, detail, by }) => ({
          key,
          row: (
            <PendingWorkRow to={to} title={title} detail={detail}>
              <SignBy day={by} />
            </PendingWorkRow>
          ),
        }))}
      />
      {everybodys && rest.length > 0 && (
        <details className={css.everybodys}>
          <summary>
            {`${rest.length + more} other ${rest.length + more === 1 ? 'document' : 'documents'} you can read (no signature requested)`}
          </summary>
          <PendingWorkRows rows={rest.map((one) => ({ key: one.id, row: everybodys.row(one) }))} />
          <Group gap="md">
            {everybodys.more(rest).map(({ label, to }) => (
              <Anchor key={to} component={Link} to={to} className={page.alone}>
                {label}
              </Anchor>
            ))}
          </Group>
        </details>
      )}
    </DashboardSection>
  )
}

/** Date by which to sign and, if it has passed, how long ago it was. */
const SignBy = ({ day }: { readonly day: string }) => (
  <>
    {`Sign by ${formatIsoAsUkDate(day)}`}
    {day < londonToday() && (
      <>
        <br />
        <RelativeTimeText at={lastMinuteOfDay(Temporal.PlainDate.from(day)).toString()} due />
      </>
    )}
  </>
)

/** Documents for the user to approve, sign, review or finish. */
function DocumentWorkParts({ kinds }: { readonly kinds: readonly LazyDocumentType[] }) {
  const actor = useActor()
  const today = londonToday()
  const lists = documentWorkLists(actor, today).map(
    ({ name, title, url }): PendingWorkList<DashboardDocument> & Pick<DocumentWorkList, 'name'> => ({
      name,
      title,
      url,
      more: (rows) => documentListLinks(kinds, name, rows, actor.username, today),
      row: (d) => (
        <PendingWorkRow
          to={name === 'improved' ? documentViewPath(kinds, d) : documentWorkPath(kinds, d)}
          title={d.title || `Untitled ${kinds.find((k) => k.kind === d.kind)?.noun ?? 'document'}`}
          detail={<Detail of={d} />}
        >
          {name === 'review' && (
            <RelativeTimeText
              at={d.reviewDue && lastMinuteOfDay(Temporal.PlainDate.from(d.reviewDue)).toString()}
              due
            />
          )}
          {name === 'awaited' && `${d.asked - d.missing} of ${d.asked} signed`}
          {(name === 'approve' || name === 'finish') && <RelativeTimeText at={d.updatedAt} />}
        </PendingWorkRow>
      ),
    }),
  )
  return (
    <>
      {actor.clientId !== PROVIDER_CLIENT_ID && hasRole(actor, DOCUMENT_READER_ROLES) && (
        <ToSignPart kinds={kinds} everybodys={lists.find(({ name }) => name === 'sign')} idOf={(d) => d.id} />
      )}
      <PendingWorkSections lists={lists.filter(({ name }) => name !== 'sign')} />
    </>
  )
}

function Detail({ of: d }: { readonly of: DashboardDocument }) {
  const nameOf = usePersonNames([d.author])
  return `${d.documentNumber} revision ${d.revision}${
    d.state === 'rejected'
      ? `, rejected: “${d.decisionNote || 'no reason was given'}”`
      : d.state === 'draft'
        ? ', draft'
        : `, by ${nameOf(d.author) || 'somebody'}`
  }`
}

/** Findings about the company's sealed records; renders nothing if there are none. */
function Findings() {
  const list = useList(evidenceFinding, { gone: false, itemsPerPage: 100 })
  const found = list.data?.['hydra:member'] ?? []
  if (list.isPending) return <DashboardSectionSkeleton />
  if (!found.length) return null
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="Sealed records have been changed" role="alert">
      <p>
        Records have been changed outside the portal. Nothing was corrected automatically. Compare them with your own
        copies and contact the operator of the portal’s database.
      </p>
      <List size="sm" mt="xs">
        {found.map((finding) => (
          <List.Item key={finding.id}>
            {finding.sentence} Found <DateTimeText at={finding.foundAt} />.
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

/** Dashboard part with audit findings, shown first to users who may read them. */
const auditFindingsPart: DashboardPart = {
  order: 1,
  isFor: (actor) => can(actor, 'read', evidenceFinding),
  draw: () => <Findings />,
}

/**
 * Creates the dashboard parts for documents: audit findings, and the user's outstanding work on documents of the given
 * types.
 */
export const documentDashboard = (types: readonly LazyDocumentType[]): ModuleDashboard => ({
  parts: [auditFindingsPart, { order: 40, isFor: () => true, draw: () => <DocumentWorkParts kinds={types} /> }],
})
