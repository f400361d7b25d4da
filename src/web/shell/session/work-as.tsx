import '@mantine/core/styles/Combobox.layer.css'
import { Alert, Button, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { ApiError, type Collection, callApi, queryString } from '../../api/client.ts'
import { impersonatePerson } from '../../api/signing.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import type { ClientChoice } from '../navigation/dialogs.ts'
import { HOME_PATH } from '../pages/redirects.ts'
import { useClientSearch } from '../palette/search.ts'
import { ImpersonationReasonField, REASON_REQUIRED_MESSAGE } from './reason-field.tsx'

interface Person {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly roles: readonly string[]
}

const usePeople = (client: number | undefined) =>
  useQuery({
    queryKey: ['/api/portal/users', 'work-as', client],
    queryFn: ({ signal }) =>
      callApi<Collection<Person>>(
        'GET',
        `/api/portal/users${queryString({ client, isRetired: false, itemsPerPage: 100, partial: true })}`,
        undefined,
        { signal },
      ),
    enabled: client !== undefined,
  })

/**
 * Dialog to start working as a client's user for half an hour. The client can see who worked as their user, when and
 * why.
 */
export default function WorkAsDialog({ client: given, onClose }: { client?: ClientChoice; onClose: () => void }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState(given?.company ?? '')
  const [client, setClient] = useState(given ? String(given.id) : null)
  const [username, setUsername] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const [checked, setChecked] = useState(false)
  const chosen = client === null ? undefined : Number(client)
  const [asked] = useDebouncedValue(typed.trim(), 200)
  const found = useClientSearch(asked)
  const clients = found.rows
    .filter((c) => c.id !== PROVIDER_CLIENT_ID)
    .map((c) => ({ value: String(c.id), label: c.city ? `${c.company}, ${c.city}` : c.company }))
  if (given && !clients.some((c) => c.value === String(given.id)))
    clients.unshift({ value: String(given.id), label: given.company })
  const people = usePeople(chosen)
  const persons = people.data?.['hydra:member'] ?? []
  const first = persons.find((p) => p.roles.includes('ROLE_CLIENT_ADMIN')) ?? persons[0]
  const as = username ?? first?.username ?? null
  const go = useMutation({
    mutationFn: (to: Parameters<typeof impersonatePerson>[0]) =>
      impersonatePerson(to, () => {
        onClose()
        return navigate(HOME_PATH)
      }),
  })
  const wrong = go.error instanceof ApiError ? go.error.violations : []
  const missing = (filled: boolean, words: string) => (checked && !filled ? words : undefined)
  const submit = (e: FormEvent) => {
    e.preventDefault()
    setChecked(true)
    if (chosen !== undefined && as && reason.trim()) go.mutate({ username: as, client: chosen, reason: reason.trim() })
  }
  return (
    <Dialog opened onClose={onClose} title="Work as a client" size="md">
      <form onSubmit={submit} noValidate>
        <Stack>
          {go.error && !wrong.length && (
            <Alert color="red" role="alert" title="You are still signed in as yourself">
              {go.error.message}
            </Alert>
          )}
          <Select
            label="Client (Required)"
            placeholder="Type part of the name"
            data={clients}
            value={client}
            onChange={(v) => {
              setClient(v)
              setUsername(null)
            }}
            searchable
            searchValue={typed}
            onSearchChange={setTyped}
            filter={({ options }) => options}
            nothingFoundMessage={found.busy ? 'Searching…' : 'No client found'}
            error={missing(chosen !== undefined, 'Field required, select an option')}
            data-autofocus={given ? undefined : true}
          />
          <Select
            label="Person (Required)"
            description="You will have exactly the same rights as this person."
            data={persons.map((p) => ({
              value: p.username,
              label: `${p.name} (${p.username})${p.roles.includes('ROLE_CLIENT_ADMIN') ? ', administrator' : ''}`,
            }))}
            value={as}
            onChange={setUsername}
            disabled={chosen === undefined}
            placeholder={
              chosen === undefined
                ? 'Choose the client first'
                : people.isPending
                  ? 'Loading…'
                  : persons.length
                    ? 'Choose a person'
                    : 'This client has no users yet'
            }
            error={
              people.error
                ? people.error.message
                : chosen === undefined || people.isPending
                  ? undefined
                  : missing(!!as, 'Field required, select an option')
            }
            allowDeselect={false}
          />
          <ImpersonationReasonField
            label="Reason"
            value={reason}
            onChange={setReason}
            error={
              wrong.find((v) => v.propertyPath === 'reason')?.message ??
              missing(reason.trim() !== '', REASON_REQUIRED_MESSAGE)
            }
            first={given !== undefined}
          />
          <Text size="sm" c="dimmed">
            Your access will end automatically after 30 minutes, or when you switch back. Changes are recorded under
            your own name.
          </Text>
        </Stack>
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={go.isPending}>
            Start (30 minutes)
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
