import { Button, Group, List, Text, TextInput, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { client } from '#rooms/portal/clients/client.ts'
import { Packs } from '#rooms/portal/offers.web.tsx'
import { call } from '#web/api/client.ts'
import { useOne, useSave } from '#web/api/resources.ts'
import { Relative } from '#web/dates/relative.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { say } from '#web/ui/say.ts'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { contact } from '../contacts/contact.ts'

/** How far a set-up has come, as the server works it out. */
interface Progress {
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

/** A client from nothing, or from a lead, to its first sign-in. What is done stands on the server: it goes on wherever somebody left it. */
export default function PackSetup() {
  const { slug } = useParams()
  return slug ? <SetUp id={slug} /> : <Begin />
}

function Begin() {
  const [query] = useSearchParams()
  const lead = query.get('lead') ?? ''
  const from = useOne(contact, lead || undefined)
  const save = useSave(contact)
  const navigate = useNavigate()
  const known = from.data
  if (lead && from.isError)
    return (
      <Page title="Set up a client">
        <ErrorState error={from.error} onRetry={() => void from.refetch()} />
      </Page>
    )
  return (
    <Page title="Set up a client" about="The company first; its packs and its administrator follow.">
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
                .catch((e: unknown) => say.failed(e))
            void navigate(`/crm/pack-setup/${made.id}`, { replace: true })
          }}
        />
      )}
    </Page>
  )
}

function SetUp({ id }: { readonly id: string }) {
  const queries = useQueryClient()
  const one = useOne(client, id)
  const url = `/api/crm/pack_setup/${id}`
  const asked = useQuery({
    queryKey: [url],
    queryFn: ({ signal }) => call<Progress>('GET', url, undefined, { signal }),
    // What another tab does, and the first sign-in, show by themselves.
    refetchInterval: 15_000,
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
          <Packs client={c} onChanged={() => void again()} />
          <Administrator id={id} progress={p} name={c.contactname} email={c.contactemail} onDone={again} />
          <Text size="sm">
            <Link to={`/cms/clients?client=${id}`}>The client’s page</Link>
          </Text>
        </>
      )}
    </Page>
  )
}

function Checklist({ progress: p }: { readonly progress: Progress }) {
  const steps = [
    ['The company is a client', true],
    ['It has a pack', p.packs.length > 0],
    ['It has an administrator', p.administrator !== null],
    ['Their login details are sent', p.invited],
    ['They have signed in', p.signedIn !== null],
  ] as const
  return (
    <section className={page.card} aria-labelledby="setup-steps">
      <Title order={2} size="h4" id="setup-steps" mb="sm">
        Checklist
      </Title>
      <List type="ordered">
        {steps.map(([words, done]) => (
          <List.Item key={words}>{`${words}: ${done ? 'done' : 'to do'}`}</List.Item>
        ))}
      </List>
      {p.signedIn && (
        <Text size="sm">
          Last signed in <Relative at={p.signedIn} empty="" />
        </Text>
      )}
    </section>
  )
}

interface AdministratorProps {
  readonly id: string
  readonly progress: Progress
  readonly name: string
  readonly email: string
  readonly onDone: () => Promise<void>
}

function Administrator({ id, progress: p, onDone, ...contact }: AdministratorProps) {
  const [said, setSaid] = useState({ name: contact.name, email: contact.email, username: `admin.${id}` })
  const [busy, setBusy] = useState(false)
  const admin = p.administrator
  /** Asked twice within a minute, in two tabs perhaps, it is one. */
  const run = async (url: string, body: Record<string, unknown>, words: string) => {
    setBusy(true)
    try {
      await call('POST', url, body, { idempotencyKey: `${url}-${Math.floor(Date.now() / 60_000)}` })
      say.saved(words)
    } catch (e) {
      say.failed(e)
    } finally {
      await onDone()
      setBusy(false)
    }
  }
  const field = (name: keyof typeof said, label: string) => (
    <TextInput label={label} value={said[name]} onChange={(e) => setSaid({ ...said, [name]: e.currentTarget.value })} />
  )
  return (
    <section className={page.card} aria-labelledby="setup-admin">
      <Title order={2} size="h4" id="setup-admin" mb="sm">
        Administrator
      </Title>
      {admin ? (
        <Group>
          <Text>{`${admin.name}, ${admin.username}, ${admin.email || 'no e-mail address'}`}</Text>
          <Button
            loading={busy}
            disabled={!admin.email || p.signedIn !== null}
            onClick={() => void run(`/api/portal/users/${admin.id}/invite`, {}, 'login details, on their way')}
          >
            {p.invited ? 'Send login details again' : 'Send login details'}
          </Button>
        </Group>
      ) : (
        <form
          onSubmit={(e) => {
            e.preventDefault()
            void run(`/api/crm/setup_admin_user/${id}`, said, 'administrator')
          }}
        >
          <div className={page.facts}>
            {field('name', 'Name')}
            {field('email', 'E-mail')}
            {field('username', 'Username')}
          </div>
          <Button type="submit" mt="md" loading={busy}>
            Make the administrator
          </Button>
        </form>
      )}
    </section>
  )
}
