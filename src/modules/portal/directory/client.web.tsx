import { Anchor, Button, Group, Text, Title } from '@mantine/core'
import { IconUserShare } from '@tabler/icons-react'
import { Suspense } from 'react'
import { Link } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { user } from '#modules/identity/people/user.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord, useList } from '#web/api/resources.ts'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import { EditableField } from '#web/forms/editable.tsx'
import { buildColumns } from '#web/lists/columns/columns.tsx'
import { ListView } from '#web/lists/list-view.tsx'
import { RecordPanels } from '#web/shell/manifest/panels.tsx'
import { openWorkAsDialog } from '#web/shell/navigation/dialogs.ts'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { RetiredChip, StatusChip } from '#web/ui/status-chip.tsx'
import { client } from '../clients/client.ts'
import { CLIENT_PROBLEMS, type ClientProblem, clientHealth } from '../clients/health.ts'
import { ClientPacks } from './packs.web.tsx'

interface Props {
  readonly troubles: readonly string[] | null
  /** True to show only the worst problem and the number of other problems, as in list rows. */
  readonly short?: boolean
}

const isTrouble = (name: string): name is ClientProblem => name in CLIENT_PROBLEMS

/** A client's problems, worst first, or “Healthy”. */
export function ClientHealthChips({ troubles, short = false }: Props) {
  const known = (troubles ?? []).filter(isTrouble)
  if (!known.length) return <StatusChip meaning="safe">Healthy</StatusChip>
  const others = known.slice(1).map((name) => CLIENT_PROBLEMS[name].words)
  return (
    <Group gap={4} wrap={short ? 'nowrap' : 'wrap'}>
      {(short ? known.slice(0, 1) : known).map((name) => (
        <StatusChip key={name} meaning={CLIENT_PROBLEMS[name].meaning}>
          {CLIENT_PROBLEMS[name].words}
        </StatusChip>
      ))}
      {short && others.length > 0 && (
        <Text size="sm" c="dimmed" title={others.join(', ')}>
          {`and ${others.length} more`}
        </Text>
      )}
    </Group>
  )
}

const FIELDS = [
  'company',
  'regcompno',
  'vatNumber',
  'address1',
  'address2',
  'city',
  'county',
  'postcode',
  'country',
  'contactname',
  'salutation',
  'contacttel',
  'contactemail',
  'lettersPerDay',
  'forbidSelfApproval',
  'retired',
] as const

/** A client's users, and its details, which can be edited in place. */
export function ClientView({ id, onBack }: { readonly id: string; readonly onBack: () => void }) {
  const actor = useActor()
  const one = useApiRecord(client, id)
  const c = one.data
  return (
    <Page
      title={c?.company ?? 'Client'}
      beside={
        c && (
          <>
            <RetiredChip retired={c.retired} />
            {c.isReseller && <StatusChip meaning="info">Reseller</StatusChip>}
            {c.id !== PROVIDER_CLIENT_ID && hasRole(actor, 'ROLE_CLIENTS_ADMIN') && (
              <Anchor component={Link} to={`/crm/pack-setup/${c.id}`} size="sm">
                Set up
              </Anchor>
            )}
          </>
        )
      }
      actions={
        c && (
          <Button
            leftSection={<IconUserShare size={16} aria-hidden />}
            onClick={() => openWorkAsDialog({ id: c.id, company: c.company ?? '' })}
          >
            Work as…
          </Button>
        )
      }
      back={{ label: 'All clients', onBack }}
    >
      {one.isError && <ErrorState error={one.error} onRetry={() => void one.refetch()} />}
      {one.isPending && <LoadingRows />}
      {c && (
        <>
          <section className={page.card} aria-label="Details">
            <div className={page.facts}>
              {FIELDS.map((name) => (
                <EditableField key={name} resource={client} record={c} name={name} of={c.contactname ?? ''} />
              ))}
            </div>
          </section>
          {c.id !== PROVIDER_CLIENT_ID && <Health id={c.id} />}
          {c.id !== PROVIDER_CLIENT_ID && <ClientPacks client={c} />}
          <People id={c.id} company={c.company ?? ''} />
          <Suspense>
            <RecordPanels record={c} />
          </Suspense>
        </>
      )}
    </Page>
  )
}

/** A client's problems, each with a link to the page where it can be solved. */
function Health({ id }: { readonly id: number }) {
  const one = useApiRecord(clientHealth, id)
  const h = one.data
  return (
    <section className={page.card} aria-labelledby="client-health">
      <Title order={2} size="h4" id="client-health" mb="sm">
        Health
      </Title>
      {one.isError && <ErrorState error={one.error} onRetry={() => void one.refetch()} />}
      {one.isPending && <LoadingRows rows={1} />}
      {h && (
        <Group>
          <ClientHealthChips troubles={h.troubles} />
          <Text size="sm">
            {`${h.people === 1 ? '1 user' : `${h.people} users`}, last sign-in:`}
            <RelativeTimeText at={h.lastSeenAt} empty="never" />
          </Text>
          {(h.openTickets ?? 0) > 0 && (
            <Anchor component={Link} to={`/cms/tickets?client=${id}`} size="sm">
              {h.openTickets === 1 ? '1 open ticket' : `${h.openTickets} open tickets`}
            </Anchor>
          )}
        </Group>
      )}
    </section>
  )
}

function People({ id, company }: { readonly id: number; readonly company: string }) {
  const actor = useActor()
  const list = useList(user, { client: id, isRetired: false, itemsPerPage: 100 })
  const admin = hasRole(actor, ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'])
  return (
    <div className={page.page}>
      <div className={page.head}>
        <Title order={2}>Users</Title>
        {admin && (
          <Anchor component={Link} to={`/config/users?client=${id}`}>
            Manage users
          </Anchor>
        )}
      </div>
      <ListView
        label={`Users at ${company}`}
        rows={list.data?.['hydra:member']}
        error={list.error}
        onRetry={() => void list.refetch()}
        empty={<EmptyState title="No users yet" />}
        narrowed={false}
        columns={buildColumns<RecordOf<typeof user>>(user, [
          { key: 'name' },
          { key: 'username' },
          'telephone',
          { key: 'email', wide: true },
          {
            key: 'lastLoginAt',
            title: 'Last sign-in',
            render: (u) => <RelativeTimeText at={u.lastLoginAt} empty="Never" />,
          },
        ])}
        idOf={(u) => String(u.id)}
        nameOf={(u) => String(u.name)}
      />
    </div>
  )
}
