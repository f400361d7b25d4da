import '@mantine/core/styles/Card.layer.css'
import { Badge, Button, Card, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError, callApi } from '#web/api/client.ts'
import { useMe } from '#web/api/me.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { SectionError } from '#web/ui/states.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { OWN_SIGNING_PIN_URL, PIN_DIGITS, type SigningPinState, signingPinProblem } from './signing-pin.ts'

interface PinInputProps {
  readonly label: string
  readonly description?: string | undefined
  readonly value: string
  readonly error?: string | undefined
  readonly disabled?: boolean | undefined
  readonly onChange: (pin: string) => void
}

/**
 * Masked input for a PIN, with a numeric keypad on touch screens. Anything except digits is ignored. The input gets the
 * focus when there is an error, because the rest of a long form may be in view.
 */
export function SigningPinInput({ onChange, ...props }: PinInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const { error } = props
  useEffect(() => {
    if (error) input.current?.focus()
  }, [error])
  return (
    <TextInput
      {...props}
      ref={input}
      type="password"
      inputMode="numeric"
      autoComplete="off"
      // Password managers must not offer to store another person's PIN.
      data-1p-ignore
      data-lpignore="true"
      maxLength={PIN_DIGITS}
      maw={260}
      styles={{ input: { minHeight: 44, letterSpacing: '0.3em' } }}
      onChange={(e) => onChange(e.currentTarget.value.replace(/\D/g, ''))}
    />
  )
}

/** Loads whether a person has a PIN, and returns a mutation that removes it. */
function useSigningPin(url: string, enabled = true) {
  const client = useQueryClient()
  const state = useQuery({
    queryKey: [url],
    queryFn: ({ signal }) => callApi<SigningPinState>('GET', url, undefined, { signal }),
    enabled,
  })
  const refetch = () => client.invalidateQueries({ queryKey: [url] })
  const remove = useMutation({
    mutationFn: () => callApi<void>('DELETE', url),
    onSuccess: () => toast.info('The signing PIN has been removed', 'safe'),
    onError: (e) => toast.failed(e),
    onSettled: refetch,
  })
  return { state, refetch, remove }
}

/** The user's own signing PIN, which only they can set. */
export function SigningPinCard() {
  const [open, setOpen] = useState(false)
  const [dialog, ask] = useConfirm()
  const { state, refetch, remove } = useSigningPin(OWN_SIGNING_PIN_URL)
  if (state.error) return <SectionError error={state.error} onRetry={state.refetch} />
  if (!state.data) return <Skeleton h={160} />
  const { isSet, changedAt } = state.data
  const askRemove = async () => {
    const yes = await ask({
      title: 'Remove signing PIN?',
      question: 'Signatures that you then give on somebody else’s device will say “no PIN set”.',
      action: 'Remove PIN',
      meaning: 'stop',
    })
    if (yes) remove.mutate()
  }
  return (
    <Card withBorder component="section" aria-labelledby="security-pin">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="security-pin">
          Signing PIN
        </Title>
        <Badge color={isSet ? 'green' : 'gray'} variant="light">
          {isSet ? 'Set' : 'Not set'}
        </Badge>
      </Group>
      <Text>
        If your company requires it, you enter this PIN when you sign for a toolbox talk on the presenter’s device. It
        is evidence that you signed yourself. Never share it with anybody: not even administrators need it.
      </Text>
      {changedAt && (
        <Text size="sm" c="dimmed" mt="xs">
          Set <DateTimeText at={changedAt} />
        </Text>
      )}
      <Group mt="md">
        <Button variant="default" onClick={() => setOpen(true)}>
          {isSet ? 'Change PIN' : 'Set PIN'}
        </Button>
        {isSet && (
          <Button variant="default" loading={remove.isPending} onClick={() => void askRemove()}>
            Remove PIN
          </Button>
        )}
      </Group>
      {dialog}
      <Dialog
        opened={open}
        onClose={() => setOpen(false)}
        title={isSet ? 'Change signing PIN' : 'Set signing PIN'}
        size="sm"
      >
        {open && (
          <NewPinForm
            onCancel={() => setOpen(false)}
            onSaved={() => {
              setOpen(false)
              toast.saved('signing PIN')
              void refetch()
            }}
          />
        )}
      </Dialog>
    </Card>
  )
}

/** Form for a new PIN, which is entered twice because it is masked. */
function NewPinForm({ onCancel, onSaved }: { readonly onCancel: () => void; readonly onSaved: () => void }) {
  const [pin, setPin] = useState('')
  const [repeated, setRepeated] = useState('')
  const [wrong, setWrong] = useState<{ readonly pin?: string | undefined; readonly repeated?: string }>({})
  const save = useMutation({
    mutationFn: () => callApi<void>('PUT', OWN_SIGNING_PIN_URL, { pin }),
    onSuccess: onSaved,
    onError: (e) => setWrong({ pin: e instanceof ApiError ? e.violations[0]?.message : undefined }),
  })
  const submit = (e: FormEvent) => {
    e.preventDefault()
    const problem = signingPinProblem(pin)
    const found = problem ? { pin: problem } : pin === repeated ? {} : { repeated: 'This is not the same PIN' }
    setWrong(found)
    if (!Object.keys(found).length) save.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <SigningPinInput
          label="New PIN"
          description={`${PIN_DIGITS} digits. Don’t use your birthday or your telephone number.`}
          value={pin}
          error={wrong.pin}
          onChange={setPin}
        />
        <SigningPinInput label="Repeat the PIN" value={repeated} error={wrong.repeated} onChange={setRepeated} />
        {save.error && !wrong.pin && <FormErrorText>{errorSentence(save.error)}</FormErrorText>}
        <DialogActions>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save PIN
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}

interface UserSigningPinProps {
  readonly of: { readonly '@id': string; readonly name: string | null }
}

/** Another user's signing PIN, which administrators can remove but neither set nor read. */
export function UserSigningPin({ of }: UserSigningPinProps) {
  const me = useMe()
  const [dialog, ask] = useConfirm()
  const { state, remove } = useSigningPin(`${of['@id']}/signing_pin`, !me.isImpersonating)
  const askRemove = async () => {
    const yes = await ask({
      title: 'Remove signing PIN?',
      question: `${of.name} will be notified and can set a new one. Until then, signatures that ${of.name} gives on a presenter’s device will say “no PIN set”.`,
      action: 'Remove signing PIN',
      meaning: 'stop',
    })
    if (yes) remove.mutate()
  }
  if (me.isImpersonating) return <Text>You can’t manage a user’s signing PIN while working as somebody else.</Text>
  if (state.error) return <SectionError error={state.error} onRetry={state.refetch} />
  if (!state.data) return <Skeleton h={80} />
  const { isSet, changedAt } = state.data
  return (
    <Stack gap="sm">
      <Text>
        {isSet
          ? `${of.name} has a signing PIN for signatures on a presenter’s device. Nobody can read it.`
          : `${of.name} has no signing PIN. Only ${of.name} can set one, under “Sign-in and security”.`}
      </Text>
      {changedAt && (
        <Text size="sm" c="dimmed">
          Set <DateTimeText at={changedAt} />
        </Text>
      )}
      {isSet &&
        (of['@id'] === me['@id'] ? (
          <Text size="sm">Change your own signing PIN under “Sign-in and security”.</Text>
        ) : (
          <Button variant="default" w="fit-content" loading={remove.isPending} onClick={() => void askRemove()}>
            Remove signing PIN
          </Button>
        ))}
      {dialog}
    </Stack>
  )
}
