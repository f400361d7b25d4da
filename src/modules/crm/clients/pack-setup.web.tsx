import '@mantine/core/styles/List.layer.css'
import { Anchor, Button, Group, List, Text, TextInput, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { parseId } from '#kernel/iri.ts'
import { client } from '#modules/portal/clients/client.ts'
import { ClientPacks } from '#modules/portal/directory/packs.web.tsx'
import { ApiError, callApi } from '#web/api/client.ts'
import { useApiRecord, useSaveRecord } from '#web/api/resources.ts'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import { contact } from '../contacts/contact.ts'

/** Progress of a client's set-up, as calculated by the server. */
interface ClientSetupProgress {
  readonly packs: readonly string[]
  readonly administrator: {
    readonly id: number
    readonly name: string
    readonly username: string
    readonly email: string
  } | null
  readonly invited: boolean
  readonly signedIn: string | null
}

interface Props {
  readonly id: string
  readonly progress: ClientSetupProgress
  readonly contact: { readonly name: string; readonly email: string }
  readonly onDone: () => Promise<void>
  /** Called when login details have been queued. */
  readonly onSent: () => void
}

const FIELDS = [
  ['name', 'Name'],
  ['email', 'E-mail'],
  ['username', 'Username'],
] as const
type PackSetupValues = Record<(typeof FIELDS)[number][0], string>

/** Returns an idempotency key that is the same for equal requests within one minute, even from two tabs. */
const keyOf = (url: string, email: string | undefined) => `${url}-${email}-${Math.floor(Date.now() / 60_000)}`

/**
 * Section for a client's administrator. The account can be created, corrected until the first sign-in, and sent its
 * login details.
 */
function ClientAdministrator({ id, progress: p, contact, onDone, onSent }: Props) {
  const [correcting, setCorrecting] = useState(false)
  const [busy, setBusy] = useState(false)
  const admin = p.administrator
  const send = async () => {
    const url = `/api/crm/setup_login/${id}`
    setBusy(true)
    try {
      await callApi('POST', url, {}, { idempotencyKey: keyOf(url, admin?.email) })
      toast.saved('login details (being sent)')
      onSent()
    } catch (e) {
      toast.failed(e, () => void send())
    } finally {
      await onDone()
      setBusy(false)
    }
  }
  return (
    <section className={page.card} aria-labelledby="setup-admin">
      <Title order={2} size="h4" id="setup-admin" mb="sm">
        Administrator
      </Title>
      {admin && !correcting ? (
        <Group>
          <Text style={{ overflowWrap: 'anywhere' }}>
            {`${admin.name}, ${admin.username}, ${admin.email || 'no e-mail address'}`}
          </Text>
          {p.signedIn === null && (
            <>
              <Button loading={busy} disabled={!admin.email} onClick={() => void send()}>
                {p.invited ? 'Resend login details' : 'Send login details'}
              </Button>
              <Button variant="default" disabled={busy} onClick={() => setCorrecting(true)}>
                Correct details
              </Button>
            </>
          )}
        </Group>
      ) : (
        <Details
          id={id}
          from={admin ?? { ...contact, username: `admin.${id}` }}
          action={admin ? 'Save' : 'Create administrator'}
          {...(admin ? { onCancel: () => setCorrecting(false) } : {})}
          onDone={async () => {
            await onDone()
            setCorrecting(false)
          }}
        />
      )}
    </section>
  )
}

interface DetailsProps {
  readonly id: string
  readonly from: PackSetupValues
  readonly action: string
  readonly onCancel?: () => void
  readonly onDone: () => Promise<void>
}

function Details({ id, from, action, onCancel, onDone }: DetailsProps) {
  const [said, setSaid] = useState<PackSetupValues>({ name: from.name, email: from.email, username: from.username })
  const [wrong, setWrong] = useState<Partial<PackSetupValues>>({})
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    setWrong({})
    try {
      await callApi('POST', `/api/crm/setup_admin_user/${id}`, said)
      toast.saved('the administrator')
      await onDone()
    } catch (e) {
      const violations = e instanceof ApiError ? e.violations : []
      setWrong(Object.fromEntries(violations.map((v) => [v.propertyPath, v.message])))
      if (!violations.length) toast.failed(e, () => void save())
    } finally {
      setBusy(false)
    }
  }
  const submit = (e: FormEvent) => {
    e.preventDefault()
    void save()
  }
  return (
    <form onSubmit={submit} noValidate>
      <div className={page.facts}>
        {FIELDS.map(([name, label]) => (
          <TextInput
            key={name}
            label={label}
            type={name === 'email' ? 'email' : 'text'}
            value={said[name]}
            error={wrong[name]}
            onChange={(e) => setSaid({ ...said, [name]: e.currentTarget.value })}
          />
        ))}
      </div>
      <Group mt="md">
        <Button type="submit" loading={busy}>
          {action}
        </Button>
        {onCancel && (
          <Button variant="default" disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
        )}
      </Group>
    </form>
  )
}

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
 * Page that sets up a client, from scratch or from a lead, up to the first sign-in. Progress is stored on the server,
 * so that the set-up can be resumed at any time.
 */
export default function ClientSetupPage() {
  const { slug } = useParams()
  return slug ? <SetUp id={slug} /> : <Begin />
}

function Begin() {
  const [query] = useSearchParams()
  const lead = query.get('lead') ?? ''
  const buyer = parseId(query.get('customer'))
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
    <Page title="Set up a client" about="Enter the company first, then choose its packs and create its administrator.">
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
            if (buyer !== undefined)
              await callApi('PUT', `/api/financial/customers/${buyer}`, { client: made['@id'] }).catch((e: unknown) =>
                toast.failed(e),
              )
            void navigate(`/crm/pack-setup/${made.id}`, { replace: true })
          }}
        />
      )}
    </Page>
  )
}

/**
 * Poll intervals in milliseconds. The interval is shorter while the login details are being sent, so that the checklist
 * updates promptly.
 */
const POLL = { onTheirWay: 1_500, otherwise: 15_000 }

function SetUp({ id }: { readonly id: string }) {
  const queries = useQueryClient()
  const one = useApiRecord(client, id)
  const url = `/api/crm/pack_setup/${id}`
  const [sent, setSent] = useState(false)
  const asked = useQuery({
    queryKey: [url],
    queryFn: ({ signal }) => callApi<ClientSetupProgress>('GET', url, undefined, { signal }),
    // Polled, so that changes made in other tabs and the first sign-in appear automatically.
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
