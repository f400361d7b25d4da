import { Button, Group, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiError, callApi } from '#web/api/client.ts'
import page from '#web/ui/page.module.css'
import { toast } from '#web/ui/toast.ts'

/** Set-up progress of a client, as calculated by the server. */
export interface ClientSetupProgress {
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
  /** Login details have been queued. */
  readonly onSent: () => void
}

const FIELDS = [
  ['name', 'Name'],
  ['email', 'E-mail'],
  ['username', 'Username'],
] as const
type Said = Record<(typeof FIELDS)[number][0], string>

/** The same request within a minute, even from two tabs, has the same key. */
const keyOf = (url: string, email: string | undefined) => `${url}-${email}-${Math.floor(Date.now() / 60_000)}`

/** The administrator of a client: created, corrected until the first sign-in, and sent their login details. */
export function ClientAdministrator({ id, progress: p, contact, onDone, onSent }: Props) {
  const [correcting, setCorrecting] = useState(false)
  const [busy, setBusy] = useState(false)
  const admin = p.administrator
  const send = async () => {
    const url = `/api/crm/setup_login/${id}`
    setBusy(true)
    try {
      await callApi('POST', url, {}, { idempotencyKey: keyOf(url, admin?.email) })
      toast.saved('login details, being sent')
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
                Correct
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
  readonly from: Said
  readonly action: string
  readonly onCancel?: () => void
  readonly onDone: () => Promise<void>
}

function Details({ id, from, action, onCancel, onDone }: DetailsProps) {
  const [said, setSaid] = useState<Said>({ name: from.name, email: from.email, username: from.username })
  const [wrong, setWrong] = useState<Partial<Said>>({})
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
