import '@mantine/core/styles/Tooltip.layer.css'
import { ActionIcon, Button, Group, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { IconFingerprint, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi } from '#web/api/client.ts'
import { OWN_SECOND_FACTOR_ENDPOINT } from '#web/api/second-factor.ts'
import { DateTimeText, RelativeTimeText } from '#web/dates/relative.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import css from './second-factor.module.css'

interface Passkey {
  readonly id: number
  readonly name: string
  readonly createdAt: string
  readonly usedAt: string | null
}

interface Props {
  readonly passkeys: readonly Passkey[]
  readonly onChanged: () => unknown
}

/** List of the user's passkeys, each with buttons to rename and remove it. */
export function PasskeyList({ passkeys, onChanged }: Props) {
  const [dialog, ask] = useConfirm()
  const [renamed, setRenamed] = useState<Passkey>()
  const remove = useMutation({
    mutationFn: ({ id }: Passkey) => callApi<void>('DELETE', `${OWN_SECOND_FACTOR_ENDPOINT.at}/passkeys/${id}`),
    onSuccess: (_, { name }) => toast.info(`The passkey “${name}” has been removed`, 'safe'),
    onError: (e) => toast.failed(e),
    onSettled: onChanged,
  })
  const askRemove = async (passkey: Passkey) => {
    const yes = await ask({
      title: 'Remove passkey',
      question: `“${passkey.name}” will stop working. Delete it on the device as well.`,
      action: 'Remove passkey',
      meaning: 'stop',
    })
    if (yes) remove.mutate(passkey)
  }
  if (!passkeys.length) return null
  return (
    <>
      <Stack component="ul" gap="xs" w="100%" className={css.list ?? ''} aria-label="Passkeys">
        {passkeys.map((p) => (
          <Group key={p.id} component="li" wrap="nowrap" justify="space-between">
            <Group wrap="nowrap" gap="sm" miw={0}>
              <IconFingerprint size={24} aria-hidden />
              <div>
                <Text fw={600}>{p.name}</Text>
                <Text size="sm" c="dimmed">
                  Added <DateTimeText at={p.createdAt} />
                  {p.usedAt && (
                    <>
                      , last used <RelativeTimeText at={p.usedAt} />
                    </>
                  )}
                </Text>
              </div>
            </Group>
            <Group wrap="nowrap" gap={4}>
              <Tooltip label="Rename">
                <ActionIcon size={44} variant="subtle" aria-label={`Rename ${p.name}`} onClick={() => setRenamed(p)}>
                  <IconPencil size={18} aria-hidden />
                </ActionIcon>
              </Tooltip>
              <Tooltip label="Remove">
                <ActionIcon
                  size={44}
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove ${p.name}`}
                  onClick={() => void askRemove(p)}
                >
                  <IconTrash size={18} aria-hidden />
                </ActionIcon>
              </Tooltip>
            </Group>
          </Group>
        ))}
      </Stack>
      {dialog}
      <Dialog opened={renamed !== undefined} onClose={() => setRenamed(undefined)} title="Rename passkey" size="28rem">
        {renamed && (
          <Rename
            passkey={renamed}
            onClose={() => setRenamed(undefined)}
            onDone={() => {
              setRenamed(undefined)
              toast.saved('passkey name')
              return onChanged()
            }}
          />
        )}
      </Dialog>
    </>
  )
}

interface RenameProps {
  readonly passkey: Passkey
  readonly onClose: () => void
  readonly onDone: () => unknown
}

function Rename({ passkey, onClose, onDone }: RenameProps) {
  const [name, setName] = useState(passkey.name)
  const [checked, setChecked] = useState(false)
  const save = useMutation({
    mutationFn: () =>
      callApi<void>('PUT', `${OWN_SECOND_FACTOR_ENDPOINT.at}/passkeys/${passkey.id}`, { name: name.trim() }),
    onSuccess: onDone,
    onError: (e) => toast.failed(e),
  })
  const submit = (e: FormEvent) => {
    e.preventDefault()
    setChecked(true)
    if (name.trim()) save.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        label="Name"
        data-autofocus
        maxLength={100}
        value={name}
        onChange={(e) => setName(e.currentTarget.value)}
        error={checked && !name.trim() ? 'Field required, please enter text' : undefined}
      />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={save.isPending}>
          Save
        </Button>
      </DialogActions>
    </form>
  )
}
