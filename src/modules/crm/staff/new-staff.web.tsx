import { Button, Checkbox, Group, NumberInput, TextInput } from '@mantine/core'
import '@mantine/core/styles/NumberInput.layer.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { user } from '#modules/identity/people/user.ts'
import { role } from '#modules/identity/roles/role.ts'
import { RolePicker } from '#modules/identity/roles/role-picker.web.tsx'
import { ApiError, callApi } from '#web/api/client.ts'
import { listQueryOptions } from '#web/api/resources.ts'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import { NEW_STAFF_URL } from './new-staff.ts'
import { staff } from './staff.ts'

const BLANK = { name: '', username: '', email: '', telephone: '' }
const FIELDS = [
  ['name', 'Name', 'text'],
  ['username', 'Username', 'text'],
  ['email', 'E-mail', 'email'],
  ['telephone', 'Telephone', 'tel'],
] as const

/** Form for a new member of staff: account, roles, daily call target and login details. */
export default function NewStaffPage() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [said, setSaid] = useState(BLANK)
  const [roles, setRoles] = useState<string[]>(['ROLE_STAFF'])
  const [calls, setCalls] = useState<number | string>(staff.fields.callsPerDay.default ?? 40)
  const [invite, setInvite] = useState(true)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  // The form is shown only when all options have loaded, so that nothing moves while the user types.
  const offered = useQuery(listQueryOptions(role, { retired: false, internal: true, pagination: false }))
  const dirty = Object.values(said).some(Boolean)
  const guard = useUnsavedChangesGuard(dirty && !busy)
  const save = async () => {
    setBusy(true)
    setWrong({})
    try {
      const body = { ...said, roles, callsPerDay: Number(calls), invite }
      const made = await callApi<{ username: string; name: string }>('POST', NEW_STAFF_URL, body)
      toast.saved(made.name)
      await Promise.all([staff, user].map((r) => queries.invalidateQueries({ queryKey: [r.url] })))
      void navigate(`/staff/${encodeURIComponent(made.username)}`)
    } catch (e) {
      const violations = e instanceof ApiError ? e.violations : []
      setWrong(Object.fromEntries(violations.map((v) => [v.propertyPath, v.message])))
      if (!violations.length) toast.failed(e, () => void save())
      setBusy(false)
    }
  }
  const submit = (e: FormEvent) => {
    e.preventDefault()
    void save()
  }
  return (
    <Page
      title="New member of staff"
      about="This creates the account, the roles and the daily call target in one step. The new member of staff uses a link to choose a password."
      back={{ label: 'All staff', to: '/staff' }}
    >
      {offered.isPending ? (
        <LoadingRows rows={6} />
      ) : (
        <form onSubmit={submit} noValidate className={page.card}>
          <div className={page.facts}>
            {FIELDS.map(([name, label, type]) => (
              <TextInput
                key={name}
                label={label}
                type={type}
                autoComplete="off"
                value={said[name]}
                error={wrong[name]}
                onChange={(e) => setSaid({ ...said, [name]: e.currentTarget.value })}
              />
            ))}
            <NumberInput
              label={staff.fields.callsPerDay.label ?? 'Daily call target'}
              description={staff.fields.callsPerDay.help}
              min={0}
              max={500}
              value={calls}
              error={wrong.callsPerDay}
              onChange={setCalls}
            />
          </div>
          <RolePicker clientId={PROVIDER_CLIENT_ID} value={roles} onChange={setRoles} error={wrong.roles} />
          <Checkbox
            mt="md"
            label="Send a link to choose a password"
            checked={invite}
            onChange={(e) => setInvite(e.currentTarget.checked)}
          />
          <Group mt="md">
            <Button type="submit" loading={busy}>
              Create member of staff
            </Button>
          </Group>
        </form>
      )}
      {guard}
    </Page>
  )
}
