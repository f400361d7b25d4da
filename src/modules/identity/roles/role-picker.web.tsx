import '@mantine/core/styles/Fieldset.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import { Checkbox, Fieldset, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { listQueryOptions } from '#web/api/resources.ts'
import { ErrorText } from '#web/ui/error-text.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { role } from './role.ts'
import { findUnassignableRoles, groupRoles } from './role-groups.ts'
import css from './roles.module.css'

interface Props {
  readonly clientId: number
  readonly value: readonly string[]
  readonly onChange: (value: string[]) => void
  readonly error?: React.ReactNode
  readonly id?: string
  readonly readOnly?: boolean
}

/** Picker for assignable roles, grouped by category. Internal roles are offered only for the provider's own users. */
export function RolePicker({ clientId, value, onChange, error, id, readOnly = false }: Props) {
  const roles = useQuery(
    listQueryOptions(role, { retired: false, internal: clientId === PROVIDER_CLIENT_ID, pagination: false }),
  )
  const offered = roles.data?.['hydra:member'] ?? []
  const others = roles.data ? findUnassignableRoles(value, offered) : []
  const all = useQuery({ ...listQueryOptions(role, { pagination: false }), enabled: others.length > 0 })
  const labelOf = (name: string) => all.data?.['hydra:member'].find((r) => r.name === name)?.label ?? name
  if (roles.isPending) return <LoadingRows rows={3} />
  if (roles.isError) return <ErrorState error={roles.error} onRetry={() => void roles.refetch()} />
  const tick = (name: string, label: string, description?: string | null) => (
    <Checkbox
      key={name}
      label={label}
      description={description || undefined}
      checked={value.includes(name)}
      disabled={readOnly}
      onChange={(e) => onChange(e.currentTarget.checked ? [...value, name] : value.filter((v) => v !== name))}
    />
  )
  return (
    <Fieldset legend="Roles" id={id} tabIndex={-1}>
      {error && <ErrorText>{error}</ErrorText>}
      <div className={css.roleGroups}>
        {groupRoles(offered).map((g) => (
          <Fieldset key={g.category} legend={g.category} variant="unstyled">
            <Stack gap="xs">{g.roles.map((r) => tick(r.name ?? '', r.label ?? r.name ?? '', r.description))}</Stack>
          </Fieldset>
        ))}
        {others.length > 0 && (
          <Fieldset legend="No longer assignable" variant="unstyled">
            <Stack gap="xs">{others.map((name) => tick(name, labelOf(name)))}</Stack>
          </Fieldset>
        )}
      </div>
    </Fieldset>
  )
}
