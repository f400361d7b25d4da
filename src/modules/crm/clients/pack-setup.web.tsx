import '@mantine/core/styles/List.layer.css'
import { Anchor, Group, List, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { client } from '#modules/portal/clients/client.ts'
import { ClientPacks } from '#modules/portal/directory/packs.web.tsx'
import { callApi } from '#web/api/client.ts'
import { useApiRecord, useSaveRecord } from '#web/api/resources.ts'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import { contact } from '../contacts/contact.ts'
import { ClientAdministrator, type ClientSetupProgress } from './administrator.web.tsx'

const NEW = [
  'company',
  'regcompno',
  'address1',
  'city',
  'postcode',
  'contactname',
  'contacttel',
  'contactemail',
] as const

/**
 * Client set-up, from scratch or from a lead, to the first sign-in. Progress is stored on the server, so that it can be
 * resumed at any time.
 */
export default function ClientSetupPage() {
  const { slug } = useParams()
  return slug ? <SetUp id={slug} /> : <Begin />
}

function Begin() {
  const [query] = useSearchParams()
  const lead = query.get('lead') ?? ''
  const from = useApiRecord(contact, lead || undefined)
  const save = useSaveRecord(contact)
  const navigate = useNavigate()
  const known = from.data
  if (lead && from.isError)
    return (
      <Page title="Set up a client">
        <ErrorState error={from.error} onRetry={() => void from.refetch()} />
      </Page>
    )
  return (
    <Page title="Set up a client" about="Enter the company first, then its packs and administrator.">
      {lead && !known ? (
        <LoadingRows />
      ) : (
        <ResourceForm
          resource={client}
          fields={NEW}
          defaults={{
            company: known?.companyName ?? '',
            regcompno: known?.companyNumber ?? '',
            address1: known?.address1 ?? '',
            city: known?.city ?? '',
            postcode: known?.postcode ?? '',
            contactname: known?.name ?? '',
            contacttel: known?.phone ?? '',
            contactemail: known?.email ?? '',
          }}
          action="Create client"
          onSaved={async (made) => {
            if (known)
              await save
                .mutateAsync({ id: known.id, values: { client: made['@id'] } })
                .catch((e: unknown) => toast.failed(e))
            void navigate(`/crm/pack-setup/${made.id}`, { replace: true })
          }}
        />
      )}
    </Page>
  )
}

/** Poll interval: short while the login details are being sent, so that the checklist updates soon. */
const POLL = { onTheirWay: 1_500, otherwise: 15_000 }

function SetUp({ id }: { readonly id: string }) {
  const queries = useQueryClient()
  const one = useApiRecord(client, id)
  const url = `/api/crm/pack_setup/${id}`
  const [sent, setSent] = useState(false)
  const asked = useQuery({
    queryKey: [url],
    queryFn: ({ signal }) => callApi<ClientSetupProgress>('GET', url, undefined, { signal }),
    // Changes in other tabs and the first sign-in appear automatically.
    refetchInterval: ({ state }) => (sent && !state.data?.invited ? POLL.onTheirWay : POLL.otherwise),
  })
  const again = () => queries.invalidateQueries({ queryKey: [url] })
  const failed = one.error ?? asked.error
  const c = one.data
  const p = asked.data
  return (
    <Page title={c ? `Set up ${c.company}` : 'Set up a client'} back={{ label: 'All clients', to: '/cms/clients' }}>
      {failed && <ErrorState error={failed} onRetry={() => void Promise.all([one.refetch(), asked.refetch()])} />}
      {!failed && !(c && p) && <LoadingRows />}
      {c && p && (
        <>
          <Checklist progress={p} />
          <ClientPacks client={c} onChanged={() => void again()} />
          <ClientAdministrator
            id={id}
            progress={p}
            contact={{ name: c.contactname, email: c.contactemail }}
            onDone={again}
            onSent={() => setSent(true)}
          />
          <Text size="sm">
            <Anchor component={Link} to={`/cms/clients?client=${id}`}>
              Client page
            </Anchor>
          </Text>
        </>
      )}
    </Page>
  )
}

function Checklist({ progress: p }: { readonly progress: ClientSetupProgress }) {
  const steps = [
    ['Company created as a client', true],
    ['Pack added', p.packs.length > 0],
    ['Administrator created', p.administrator !== null],
    ['Login details sent', p.invited],
    ['First sign-in', p.signedIn !== null],
  ] as const
  const done = steps.filter(([, is]) => is).length
  return (
    <section className={page.card} aria-labelledby="setup-steps">
      <Title order={2} size="h4" id="setup-steps" mb="sm">
        {`Checklist: ${done} of ${steps.length}`}
      </Title>
      <List type="ordered" spacing="xs" center>
        {steps.map(([words, is]) => (
          <List.Item key={words}>
            <Group gap="sm">
              {words}
              <StatusChip meaning={is ? 'safe' : 'attention'}>{is ? 'Done' : 'To do'}</StatusChip>
            </Group>
          </List.Item>
        ))}
      </List>
      {p.signedIn && (
        <Text size="sm" mt="sm">
          Last sign-in <RelativeTimeText at={p.signedIn} empty="" />
        </Text>
      )}
    </section>
  )
}
